import java.io.File;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.converters.ArffLoader;

/**
 * J48 with its defaults on given folds: J48Folds DATA.arff FOLDS TARGET COUNT OUT.csv. A line per row that is judged: its fold, the leaves,
 * the CPU seconds, and the probabilities of all classes.
 */
public class J48Folds {
    public static void main(String[] told) throws Exception {
        ArffLoader loader = new ArffLoader();
        loader.setFile(new File(told[0]));
        Instances table = loader.getDataSet();
        table.setClassIndex(Integer.parseInt(told[2]) - 1);
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        List<String> folds = Files.readAllLines(Paths.get(told[1]));
        try (PrintWriter out = new PrintWriter(told[4])) {
            for (int k = 0; k < Integer.parseInt(told[3]); k++) {
                Instances train = new Instances(table, 0);
                for (int row = 0; row < table.numInstances(); row++) {
                    if (Integer.parseInt(folds.get(row).trim()) != k) {
                        train.add(table.instance(row));
                    }
                }
                J48 tree = new J48();
                long begun = clock.getCurrentThreadCpuTime();
                tree.buildClassifier(train);
                double seconds = (clock.getCurrentThreadCpuTime() - begun) / 1e9;
                for (int row = 0; row < table.numInstances(); row++) {
                    if (Integer.parseInt(folds.get(row).trim()) == k) {
                        out.print(k + "," + tree.measureNumLeaves() + "," + seconds);
                        for (double p : tree.distributionForInstance(table.instance(row))) {
                            out.print("," + p);
                        }
                        out.println();
                    }
                }
            }
        }
    }
}
