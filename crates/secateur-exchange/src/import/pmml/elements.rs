//! XML as elements: names without their prefixes, attributes, texts, and the line where each begins. Nothing recurses.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::import::Problem;

/// An element, by its place in the document.
pub(super) type Place = usize;

/// A document.
pub(super) struct Elements {
    list: Vec<Element>,
}

#[derive(Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Place>,
    line: usize,
}

impl Elements {
    /// Reads a document; element 0 holds all others.
    pub(super) fn read(text: &str) -> Result<Self, Problem> {
        let mut reader = Reader::from_str(text);
        let mut list = vec![Element::default()];
        let mut open = vec![0];
        let (mut line, mut counted) = (1, 0);
        loop {
            let begin = reader.buffer_position() as usize;
            line += text.as_bytes()[counted..begin].iter().filter(|byte| **byte == b'\n').count();
            counted = begin;
            let wrong = |error: &dyn std::fmt::Display| {
                Problem::at(line, format!("it is not well-formed XML: {error}"))
            };
            let within = open.last().copied().unwrap_or(0);
            match reader.read_event().map_err(|error| wrong(&error))? {
                Event::Start(start) => {
                    open.push(add(&mut list, within, &start, line)?);
                }
                Event::Empty(start) => {
                    add(&mut list, within, &start, line)?;
                }
                Event::End(_) => {
                    open.pop();
                }
                Event::Text(part) => list[within].text += &part.xml10_content(),
                Event::CData(part) => list[within].text += &part.xml10_content(),
                Event::GeneralRef(reference) => {
                    let name = reference.xml10_content();
                    let c = match reference.resolve_char_ref() {
                        Ok(Some(c)) => c.to_string(),
                        _ => quick_xml::escape::resolve_xml_entity(&name).unwrap_or_default().to_string(),
                    };
                    list[within].text += &c;
                }
                Event::Eof if open.len() > 1 => return Err(wrong(&"it ends too early")),
                Event::Eof => return Ok(Self { list }),
                _ => {}
            }
        }
    }

    pub(super) fn name(&self, place: Place) -> &str {
        &self.list[place].name
    }

    pub(super) fn line(&self, place: Place) -> usize {
        self.list[place].line
    }

    pub(super) fn text(&self, place: Place) -> &str {
        &self.list[place].text
    }

    /// An attribute, if the element has it.
    pub(super) fn get(&self, place: Place, name: &str) -> Option<&str> {
        self.list[place].attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// An attribute that must be there.
    pub(super) fn need(&self, place: Place, name: &str) -> Result<&str, Problem> {
        self.get(place, name)
            .ok_or_else(|| self.wrong(place, format!("<{}> has no {name}", self.name(place))))
    }

    /// An attribute that is a number.
    pub(super) fn number(&self, place: Place, name: &str) -> Result<Option<f64>, Problem> {
        let number = |text: &str| {
            let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
            number.ok_or_else(|| {
                self.wrong(place, format!("{name} is {}; expected a number", secateur::error::shown(text)))
            })
        };
        self.get(place, name).map(number).transpose()
    }

    pub(super) fn children(&self, place: Place) -> &[Place] {
        &self.list[place].children
    }

    /// The children with a name.
    pub(super) fn all<'a>(&'a self, place: Place, name: &'a str) -> impl Iterator<Item = Place> + 'a {
        self.children(place).iter().copied().filter(move |&child| self.name(child) == name)
    }

    /// The first child with a name.
    pub(super) fn first(&self, place: Place, name: &str) -> Option<Place> {
        self.all(place, name).next()
    }

    /// A problem with an element.
    pub(super) fn wrong(&self, place: Place, problem: impl Into<String>) -> Problem {
        Problem::at(self.line(place), problem)
    }
}

fn add(list: &mut Vec<Element>, within: Place, start: &BytesStart, line: usize) -> Result<Place, Problem> {
    let mut element = Element { name: start.local_name().as_ref().to_string(), line, ..Element::default() };
    for attribute in start.attributes() {
        let attribute =
            attribute.map_err(|error| Problem::at(line, format!("it is not well-formed XML: {error}")))?;
        let value = attribute.normalized_value(XmlVersion::Explicit1_0);
        let value =
            value.map_err(|error| Problem::at(line, format!("it is not well-formed XML: {error}")))?;
        element.attributes.push((attribute.key.as_ref().to_string(), value.into_owned()));
    }
    let place = list.len();
    list.push(element);
    list[within].children.push(place);
    Ok(place)
}
