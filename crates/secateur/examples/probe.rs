//! probe
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use secateur::data::{CodedTable, ReadOptions, Roles, read};
use secateur::evaluate::*;
use secateur::fit::FitOptions;
use secateur::progress::Silent;
fn main() {
    let learner = std::env::args().nth(1).unwrap();
    let repeats: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut datasets = Vec::new();
    for name in std::env::args().skip(3) {
        let f = name.clone();
        datasets.push(DataSet {
            name,
            load: Box::new(move || {
                let file = format!("/work/shared/data/classification/{f}.arff");
                let table = read(&file, &ReadOptions::default(), &Silent)?;
                Ok((CodedTable::new(&table, &Roles::default())?, FitOptions::default()))
            }),
        });
    }
    let pruners = [
        "post:fold-average=active",
        "post:fold-average=active,1se",
        "pre:fold-average=active",
        "pre:fold-average=active,1se",
        "cost-complexity:cv=10",
        "cost-complexity:cv=10,1se",
    ];
    let schemes: Vec<Named> =
        pruners.iter().map(|p| Named::plain(format!("{learner}/{p}").parse().unwrap())).collect();
    let e = Experiment {
        datasets,
        schemes,
        protocol: Protocol::Cv { folds: 10, repeats, order: FoldOrder::Shi2007 },
        shares: vec![1.0],
        seed: 1,
        sharing: true,
    };
    let start = std::time::Instant::now();
    let records = e.run(None, &Silent).unwrap();
    println!("{:.2} s", start.elapsed().as_secs_f64());
    for d in &e.datasets {
        print!("{:14}", d.name);
        for s in &e.schemes {
            let mine: Vec<_> = records.iter().filter(|r| r.dataset == d.name && r.scheme == s.name).collect();
            if let Some(r) = mine.iter().find(|r| r.error.is_some()) {
                print!(" {:?}", r.error);
                continue;
            }
            let mean = |m: &str| mine.iter().map(|r| r.get(m).unwrap()).sum::<f64>() / mine.len() as f64;
            print!("  {:.2}/{:.2}", 100.0 * mean("accuracy"), mean("nodes"));
        }
        println!();
    }
}
