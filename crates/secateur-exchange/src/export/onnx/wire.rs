//! The wire format of protocol buffers, as far as a model needs it: fields of whole numbers, of bytes and of messages.

/// A message while it is written. Fields stand in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

/// A field whose length stands before it.
const WITH_LENGTH: u64 = 2;

impl Message {
    /// The message as it is kept in a file.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Seven bits to a byte, the lowest first; the highest bit of a byte says that more follow.
    fn varint(&mut self, mut x: u64) {
        while x >= 0x80 {
            self.bytes.push(x as u8 | 0x80);
            x >>= 7;
        }
        self.bytes.push(x as u8);
    }

    /// A whole number.
    pub(super) fn int(mut self, field: u64, x: i64) -> Self {
        self.varint(field << 3);
        self.varint(x as u64);
        self
    }

    /// Bytes, or a text.
    pub(super) fn bytes(mut self, field: u64, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        self.varint(field << 3 | WITH_LENGTH);
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// A message.
    pub(super) fn message(self, field: u64, message: Message) -> Self {
        self.bytes(field, message.bytes)
    }

    /// Many whole numbers, in one piece.
    pub(super) fn ints(self, field: u64, list: &[i64]) -> Self {
        let mut packed = Message::default();
        list.iter().for_each(|&x| packed.varint(x as u64));
        self.message(field, packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_written_as_the_documentation_of_the_format_has_them() {
        assert_eq!(Message::default().int(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::default().bytes(2, "testing").into_bytes(), b"\x12\x07testing");
        let inner = Message::default().int(1, 150);
        assert_eq!(Message::default().message(3, inner).into_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(
            Message::default().ints(6, &[3, 270, 86942]).into_bytes(),
            [0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]
        );
        let minus = Message::default().int(1, -2).into_bytes();
        assert_eq!((minus.len(), minus[1], minus[10]), (11, 0xfe, 0x01));
    }
}
