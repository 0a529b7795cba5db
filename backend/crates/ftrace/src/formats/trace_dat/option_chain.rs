//! The options of a version 7 file: sections of them that point at each other, or, where that breaks, all that
//! are found.

use super::byte_order::ByteOrder;
use super::options::{DONE, Options, STRINGS, read_option};
use super::reader::Reader;
use super::section_scan::{Section, are_options, plausible_at};
use super::sections::Sections;
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Place, ReadError};

const MAX_CHAIN: usize = 1_024;
/// How far after a damaged option the next one is looked for.
const MAX_PASSED_BYTES: u64 = 64 << 10;
/// Options that are looked at for it.
const MAX_LOOKS: u64 = 1 << 18;

/// What the chain of options came to.
#[derive(Default)]
pub struct Chain {
    pub options: Options,
    /// A section is missing or damaged, or nothing points to it.
    pub is_broken: bool,
    /// The section that ends the chain was read.
    pub has_end: bool,
}

/// All options of a file; the first section of them is at `first`.
///
/// Errors: `option_loop`, too many options.
pub fn read_options(file: &Sections<'_>, first: u64) -> Result<Chain, ReadError> {
    let mut chain = Chain::default();
    let (mut offset, mut seen) = (first, Vec::new());
    loop {
        if seen.contains(&offset) || seen.len() > MAX_CHAIN {
            let (code, place) = (Code::OptionLoop, Place::byte(offset));
            return Err(ReadError::new(FailureClass::Corrupt, code, place, code.sentence()));
        }
        seen.push(offset);
        let section = Section::at(file.file, offset, file.header.order)?;
        let Some(section) = section.filter(|section| section.id == DONE && offset > 0) else {
            let place = offset.min(file.file.len());
            file.note(place, place, format!("no options at byte {offset}, where the file puts them"));
            chain.is_broken = true;
            break;
        };
        file.claim(section)?;
        match read_section(file, &section, &mut chain.options)? {
            Some(0) => {
                chain.has_end = true;
                let behind = plausible_at(file.file, section.end(), file.header.order)?;
                chain.is_broken |= behind.is_some_and(|section| section.id != STRINGS);
                break;
            }
            Some(next) => offset = next,
            None => {
                chain.is_broken = true;
                break;
            }
        }
    }
    chain.is_broken |= chain.options.buffers.is_empty() && chain.options.text_buffers.is_empty();
    if chain.is_broken {
        for section in file.unused(DONE)? {
            file.note(section.place, section.place, "options that nothing points to".to_owned());
            file.claim(section)?;
            chain.has_end |= read_section(file, &section, &mut chain.options)? == Some(0);
        }
    }
    Ok(chain)
}

/// Takes in the options of a section. Returns where the next section is, 0 after the last one; `None` where
/// that is damaged.
fn read_section(
    file: &Sections<'_>,
    section: &Section,
    options: &mut Options,
) -> Result<Option<u64>, ReadError> {
    let order = file.header.order;
    let next = file.with_section(section, |reader| {
        loop {
            let start = reader.position();
            match read_option(reader) {
                Ok(option) if option.id == DONE => {
                    return Ok(Reader::of_section(&option.data, option.place, order).u64().ok());
                }
                Ok(option) => options.add(option, reader)?,
                Err(error) if section.is_compressed => return Err(error),
                Err(error) => {
                    file.keep_going(DONE, None, error)?;
                    let end = section.end();
                    let intact = next_option(file, start, end, order)?;
                    file.file.skip_range(start, intact.unwrap_or(end));
                    let Some(intact) = intact else { return Ok(None) };
                    reader.seek(intact);
                }
            }
        }
    });
    next.or_else(|error| file.keep_going(DONE, Some(section), error).map(|_| None))
}

/// The first place after a damaged option at `start` from which options reach to the end of their section.
fn next_option(
    file: &Sections<'_>,
    start: u64,
    end: u64,
    order: ByteOrder,
) -> Result<Option<u64>, ReadError> {
    let mut looks = MAX_LOOKS;
    for at in start.saturating_add(1)..end.min(start.saturating_add(MAX_PASSED_BYTES)) {
        if are_options(file.file, at, end, order, &mut looks)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
