//! Small trace.dat images for tests.

pub mod btf;
mod recorder;
pub mod recordings;

use std::fmt::Write as _;
use std::io::Write as _;

use super::byte_order::ByteOrder;
use super::codec::Codec;
use super::entry_header::EntryHeader;
use super::header::MAGIC;

pub use recorder::Recorder;

/// The common fields of every format, and of every record that [`Image::record`] makes.
const COMMON: &str = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

";

/// How an image is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub order: ByteOrder,
    pub version: u8,
    pub codec: Option<Codec>,
    pub page_bytes: usize,
    /// Of the kernel's `long`.
    pub long_bytes: usize,
    pub entry_header: EntryHeader,
}

pub const LITTLE_V6: Layout = Layout {
    order: ByteOrder::Little,
    version: 6,
    codec: None,
    page_bytes: 4_096,
    long_bytes: 8,
    entry_header: EntryHeader::TypeLen,
};

/// The pages of an instance, which has no name where it is the top one.
#[derive(Clone)]
struct Instance {
    name: String,
    cpus: Vec<Vec<Vec<u8>>>,
}

/// A recording to be: formats and pages are added, then [`Image::build`] lays it out.
pub struct Image {
    layout: Layout,
    formats: Vec<(String, String)>,
    instances: Vec<Instance>,
    pub kallsyms: String,
    pub printk_formats: String,
    pub cmdlines: String,
    /// `/proc/modules`, in a section of version 7.
    pub modules: String,
    /// `/sys/kernel/btf/vmlinux`, in a section of version 7.
    pub btf: Option<Vec<u8>>,
    /// `header_page` and `header_event` say something; they are empty of kernels that had neither.
    pub has_header_texts: bool,
    pub options: Vec<(u16, Vec<u8>)>,
    /// An ASCII trace in place of the pages.
    pub text: Option<String>,
}

impl Image {
    pub fn new(layout: Layout, cpus: usize) -> Self {
        Self {
            layout,
            formats: Vec::new(),
            instances: vec![Instance { name: String::new(), cpus: vec![Vec::new(); cpus] }],
            kallsyms: String::new(),
            printk_formats: String::new(),
            cmdlines: "7 cat\n".to_owned(),
            modules: String::new(),
            btf: None,
            has_header_texts: true,
            options: vec![(4, b"[local] global counter\0".to_vec())],
            text: None,
        }
    }

    /// `fields` are lines of `TYPE NAME;offset;size;signed`.
    pub fn format(&mut self, system: &str, name: &str, id: u32, fields: &str, print_fmt: &str) -> &mut Self {
        let mut text = format!("name: {name}\nID: {id}\nformat:\n{COMMON}");
        for line in fields.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let parts: Vec<_> = line.split(';').collect();
            let (declared, offset, size, signed) = (parts[0], parts[1], parts[2], parts[3]);
            writeln!(text, "\tfield:{declared};\toffset:{offset};\tsize:{size};\tsigned:{signed};").unwrap();
        }
        writeln!(text, "\nprint fmt: {print_fmt}").unwrap();
        self.formats.push((system.to_owned(), text));
        self
    }

    /// `sched_tick: n=%d`, whose records hold one number.
    pub fn tick_format(&mut self) -> &mut Self {
        self.format("sched", "sched_tick", 300, "int n;8;4;1", r#""n=%d", REC->n"#)
    }

    /// Another instance, which takes the pages that are added from now on.
    pub fn instance(&mut self, name: &str) -> &mut Self {
        let cpus = vec![Vec::new(); self.instances[0].cpus.len()];
        self.instances.push(Instance { name: name.to_owned(), cpus });
        self
    }

    /// A page whose first record is at `stamp`; `entries` are ring-buffer entries.
    pub fn page(&mut self, cpu: usize, stamp: u64, entries: &[Vec<u8>]) -> &mut Self {
        self.page_with_commit(cpu, stamp, entries, 0)
    }

    /// The same with flags of the commit word, and what they put after the records.
    pub fn page_with_commit(&mut self, cpu: usize, stamp: u64, entries: &[Vec<u8>], flags: u64) -> &mut Self {
        let data = entries.concat();
        let mut page = self.u64(stamp);
        page.extend(self.long(data.len() as u64 | flags));
        page.extend(data);
        page.resize(self.layout.page_bytes, 0);
        self.instances.last_mut().unwrap().cpus[cpu].push(page);
        self
    }

    /// A ring-buffer entry of that kind and delta, with what follows its first word.
    ///
    /// `kind` is `type_len`, or the two bits of `type` above the three of `len`.
    pub fn entry(&self, kind: u32, delta: u32, body: &[u8]) -> Vec<u8> {
        let kind = match (self.layout.entry_header, self.layout.order) {
            (EntryHeader::TypeAndLen, ByteOrder::Little) => kind >> 3 | (kind & 7) << 2,
            _ => kind,
        };
        let word = match self.layout.order {
            ByteOrder::Little => kind | delta << 5,
            ByteOrder::Big => kind << 27 | delta,
        };
        [self.u32(word), body.to_vec()].concat()
    }

    /// A time extend.
    pub fn extend(&self, delta: u64) -> Vec<u8> {
        let kind = match self.layout.entry_header {
            EntryHeader::TypeLen => 30,
            EntryHeader::TypeAndLen => 1 << 3,
        };
        self.entry(kind, (delta & 0x7ff_ffff) as u32, &self.u32((delta >> 27) as u32))
    }

    /// An entry with a record of event `id` by pid 7; `fields` follow the common ones.
    pub fn record(&self, delta: u32, id: u16, fields: &[u8]) -> Vec<u8> {
        let mut data = self.u16(id);
        data.extend([1, 0x12]);
        data.extend(self.u32(7));
        data.extend(fields);
        data.resize(data.len().next_multiple_of(4), 0);
        let (most_words, kind) = match self.layout.entry_header {
            EntryHeader::TypeLen => (28, 0),
            EntryHeader::TypeAndLen => (7, 3 << 3),
        };
        let words = data.len() as u32 / 4;
        if words <= most_words {
            return self.entry(kind | words, delta, &data);
        }
        let length = self.u32(data.len() as u32 + 4);
        self.entry(kind, delta, &[length, data].concat())
    }

    /// A record of [`Image::tick_format`].
    pub fn tick(&self, delta: u32, n: i32) -> Vec<u8> {
        self.record(delta, 300, &self.u32(n.cast_unsigned()))
    }

    pub fn u16(&self, value: u16) -> Vec<u8> {
        match self.layout.order {
            ByteOrder::Little => value.to_le_bytes().to_vec(),
            ByteOrder::Big => value.to_be_bytes().to_vec(),
        }
    }

    pub fn u32(&self, value: u32) -> Vec<u8> {
        match self.layout.order {
            ByteOrder::Little => value.to_le_bytes().to_vec(),
            ByteOrder::Big => value.to_be_bytes().to_vec(),
        }
    }

    pub fn u64(&self, value: u64) -> Vec<u8> {
        match self.layout.order {
            ByteOrder::Little => value.to_le_bytes().to_vec(),
            ByteOrder::Big => value.to_be_bytes().to_vec(),
        }
    }

    /// A number of the kernel's `long`; its upper half is lost where that is short.
    pub fn long(&self, value: u64) -> Vec<u8> {
        if self.layout.long_bytes == 4 { self.u32(value as u32) } else { self.u64(value) }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        let user_long_bytes = if self.has_header_texts { 8 } else { self.layout.long_bytes as u8 };
        let is_big = u8::from(self.layout.order == ByteOrder::Big);
        file.extend([b'0' + self.layout.version, 0, is_big, user_long_bytes]);
        file.extend(self.u32(self.layout.page_bytes as u32));
        if self.layout.version == 6 { self.build_v6(file) } else { self.build_v7(file) }
    }

    fn build_v6(&self, mut file: Vec<u8>) -> Vec<u8> {
        for section in self.sections() {
            file.extend(section.1);
        }
        let cpu_count = self.instances[0].cpus.len();
        file.extend(self.u32(cpu_count as u32));
        file.extend(b"options  \0");
        for (id, data) in &self.options {
            file.extend(self.option(*id, data));
        }
        let others = &self.instances[1..];
        let tables_start =
            file.len() + others.iter().map(|other| 6 + 8 + other.name.len() + 1).sum::<usize>() + 2;
        let table_bytes = 10 + cpu_count * 16;
        for (number, other) in (1..).zip(others) {
            let offset = self.u64((tables_start + number * table_bytes) as u64);
            file.extend(self.option(3, &[&offset, other.name.as_bytes(), b"\0"].concat()));
        }
        file.extend(self.u16(0));
        if let Some(text) = &self.text {
            file.extend(b"latency  \0");
            file.extend(text.as_bytes());
            return file;
        }
        let page_bytes = self.layout.page_bytes;
        let start = (tables_start + self.instances.len() * table_bytes).next_multiple_of(page_bytes);
        let mut offset = start;
        for instance in &self.instances {
            file.extend(b"flyrecord\0");
            for pages in &instance.cpus {
                let size = pages.len() * page_bytes;
                file.extend([self.u64(offset as u64), self.u64(size as u64)].concat());
                offset += size;
            }
        }
        file.resize(start, 0);
        file.extend(self.instances.iter().flat_map(|instance| instance.cpus.concat().concat()));
        file
    }

    fn build_v7(&self, mut file: Vec<u8>) -> Vec<u8> {
        let name: &[u8] = match self.layout.codec {
            None => b"none\0\0",
            Some(Codec::Zlib) => b"zlib\x001\0",
            Some(Codec::Zstd) => b"zstd\x001\0",
        };
        file.extend(name);
        let options_pointer = file.len();
        file.extend(self.u64(0));
        let mut options = self.options.clone();
        let modules = (!self.modules.is_empty()).then(|| (25, self.modules.clone().into_bytes()));
        let btf = self.btf.clone().map(|btf| (23, btf));
        for (id, body) in self.sections().into_iter().chain(btf).chain(modules) {
            options.push((id, self.u64(file.len() as u64)));
            let body = self.packed(&body);
            self.push_section(&mut file, id, &body);
        }
        for instance in &self.instances {
            let place = file.len();
            let (id, body, cpus) = match &self.text {
                Some(text) => (22, self.chunks(text.as_bytes()), Vec::new()),
                None => self.flyrecord(instance, place + 16),
            };
            self.push_section(&mut file, id, &body);
            let mut buffer =
                [&self.u64(place as u64), instance.name.as_bytes(), b"\0local\0".as_slice()].concat();
            if id == 3 {
                buffer
                    .extend([self.u32(self.layout.page_bytes as u32), self.u32(cpus.len() as u32)].concat());
                buffer.extend(cpus.concat());
            }
            options.push((id, buffer));
        }
        let place = file.len() as u64;
        let mut body: Vec<u8> = options.iter().flat_map(|(id, data)| self.option(*id, data)).collect();
        body.extend(self.option(0, &self.u64(0)));
        let body = self.packed(&body);
        self.push_section(&mut file, 0, &body);
        file[options_pointer..options_pointer + 8].copy_from_slice(&self.u64(place));
        file
    }

    fn option(&self, id: u16, data: &[u8]) -> Vec<u8> {
        [self.u16(id), self.u32(data.len() as u32), data.to_vec()].concat()
    }

    fn push_section(&self, file: &mut Vec<u8>, id: u16, body: &[u8]) {
        file.extend([self.u16(id), self.u16(u16::from(self.layout.codec.is_some())), self.u32(0)].concat());
        file.extend(self.u64(body.len() as u64));
        file.extend(body);
    }

    /// The pages of every CPU and the entries of the BUFFER option for them.
    fn flyrecord(&self, instance: &Instance, start: usize) -> (u16, Vec<u8>, Vec<Vec<u8>>) {
        let (mut body, mut cpus) = (Vec::new(), Vec::new());
        // As trace-cmd does, CPUs without pages are left out.
        for (cpu, pages) in instance.cpus.iter().enumerate().filter(|(_, pages)| !pages.is_empty()) {
            let data = self.chunks(&pages.concat());
            // As trace-cmd writes it: the size of chunks does not count the number of them.
            let count_bytes = if self.layout.codec.is_some() { 4 } else { 0 };
            let (offset, size) = ((start + body.len()) as u64, data.len().saturating_sub(count_bytes) as u64);
            cpus.push([self.u32(cpu as u32), self.u64(offset), self.u64(size)].concat());
            body.extend(data);
        }
        (3, body, cpus)
    }

    /// Two chunks, so that going from one to the next is part of every test.
    fn chunks(&self, data: &[u8]) -> Vec<u8> {
        if self.layout.codec.is_none() {
            return data.to_vec();
        }
        let half = (data.len() / 2).next_multiple_of(self.layout.page_bytes).min(data.len());
        let (first, second) = data.split_at(half);
        let mut chunks = self.u32(1 + u32::from(!second.is_empty()));
        chunks.extend(self.packed(first));
        if !second.is_empty() {
            chunks.extend(self.packed(second));
        }
        chunks
    }

    fn packed(&self, body: &[u8]) -> Vec<u8> {
        let data = match self.layout.codec {
            None => return body.to_vec(),
            Some(Codec::Zstd) => zstd::bulk::compress(body, 3).unwrap(),
            Some(Codec::Zlib) => {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(body).unwrap();
                encoder.finish().unwrap()
            }
        };
        [self.u32(data.len() as u32), self.u32(body.len() as u32), data].concat()
    }

    fn header_page(&self) -> String {
        if !self.has_header_texts {
            return String::new();
        }
        let long_bytes = self.layout.long_bytes;
        let head_bytes = 8 + long_bytes;
        let data_bytes = self.layout.page_bytes - head_bytes;
        format!(
            "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:{long_bytes};\tsigned:1;
\tfield: char data;\toffset:{head_bytes};\tsize:{data_bytes};\tsigned:0;\n"
        )
    }

    fn header_event(&self) -> &'static str {
        if self.layout.entry_header == EntryHeader::TypeAndLen && self.has_header_texts {
            "\ttype        :    2 bits\n\tlen         :    3 bits\n\ttime_delta  :   27 bits\n"
        } else {
            ""
        }
    }

    /// The metadata in version 6's order, by version 7's ids.
    fn sections(&self) -> Vec<(u16, Vec<u8>)> {
        let long = |text: &str| [self.u64(text.len() as u64), text.as_bytes().to_vec()].concat();
        let short = |text: &str| [self.u32(text.len() as u32), text.as_bytes().to_vec()].concat();
        let (page, event) = (long(&self.header_page()), long(self.header_event()));
        let header = [b"header_page\0", page.as_slice(), b"header_event\0", &event].concat();
        let (own, others): (Vec<_>, Vec<_>) = self.formats.iter().partition(|(system, _)| system == "ftrace");
        let mut ftrace = self.u32(own.len() as u32);
        ftrace.extend(own.iter().flat_map(|(_, text)| long(text)));
        let mut events = self.u32(others.len() as u32);
        for (system, text) in others {
            events.extend([system.as_bytes(), b"\0", &self.u32(1), &long(text)].concat());
        }
        vec![
            (16, header),
            (17, ftrace),
            (18, events),
            (19, short(&self.kallsyms)),
            (20, short(&self.printk_formats)),
            (21, long(&self.cmdlines)),
        ]
    }
}
