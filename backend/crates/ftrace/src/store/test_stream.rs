//! Hand-built COPY streams, so that a reader's tests do not lean on the writer that they check.

/// One field of a row.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Null,
    I16(i16),
    I32(i32),
    I64(i64),
    Text(&'a str),
    I16s(&'a [i16]),
    I32s(&'a [i32]),
    I64s(&'a [i64]),
    OptionalI32s(&'a [Option<i32>]),
    Texts(&'a [&'a str]),
}

/// A binary COPY stream in the making.
pub struct CopyBytes(Vec<u8>);

impl Default for CopyBytes {
    fn default() -> Self {
        Self([b"PGCOPY\n\xff\r\n\0".as_slice(), &[0; 8]].concat())
    }
}

impl CopyBytes {
    pub fn row(&mut self, fields: &[Value<'_>]) {
        self.0.extend(i16::try_from(fields.len()).unwrap().to_be_bytes());
        for field in fields {
            match encode(*field) {
                None => self.0.extend((-1_i32).to_be_bytes()),
                Some(bytes) => self.prefixed(&bytes),
            }
        }
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.0.extend((-1_i16).to_be_bytes());
        self.0
    }

    fn prefixed(&mut self, bytes: &[u8]) {
        self.0.extend(i32::try_from(bytes.len()).unwrap().to_be_bytes());
        self.0.extend(bytes);
    }
}

fn encode(value: Value<'_>) -> Option<Vec<u8>> {
    Some(match value {
        Value::Null => return None,
        Value::I16(value) => value.to_be_bytes().to_vec(),
        Value::I32(value) => value.to_be_bytes().to_vec(),
        Value::I64(value) => value.to_be_bytes().to_vec(),
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::I16s(values) => array(21, values.iter().map(|value| Some(value.to_be_bytes().to_vec()))),
        Value::I32s(values) => array(23, values.iter().map(|value| Some(value.to_be_bytes().to_vec()))),
        Value::I64s(values) => array(20, values.iter().map(|value| Some(value.to_be_bytes().to_vec()))),
        Value::OptionalI32s(values) => {
            array(23, values.iter().map(|value| value.map(|value| value.to_be_bytes().to_vec())))
        }
        Value::Texts(values) => array(25, values.iter().map(|value| Some(value.as_bytes().to_vec()))),
    })
}

fn array(oid: i32, elements: impl ExactSizeIterator<Item = Option<Vec<u8>>>) -> Vec<u8> {
    let count = i32::try_from(elements.len()).unwrap();
    let header: &[i32] = if count == 0 { &[0, 0, oid] } else { &[1, 0, oid, count, 1] };
    let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_be_bytes()).collect();
    for element in elements {
        match element {
            None => bytes.extend((-1_i32).to_be_bytes()),
            Some(element) => {
                bytes.extend(i32::try_from(element.len()).unwrap().to_be_bytes());
                bytes.extend(element);
            }
        }
    }
    bytes
}
