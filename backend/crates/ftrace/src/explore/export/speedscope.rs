//! speedscope's own JSON: the calls of each CPU as a profile of begins and ends.
//!
//! Source: <https://www.speedscope.app/file-format-schema.json>.

use std::collections::BTreeMap;

use super::super::answer_json;
use super::super::ids::Owner;
use super::super::protocol::{Answer, Stored};
use super::ExportFormat;
use super::call_edges::{CallEdges, Edge};
use super::names::{NameTables, Names};
use super::numbering::Numbering;
use super::out::Out;
use super::scope::Scope;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "speedscope",
    title: "speedscope",
    reader: "the calls of each CPU in the order of time, for speedscope.app",
    extension: "speedscope.json",
    media_type: "application/json",
    is_of_calls: true,
    write: |stored, scope| Box::pin(write(stored, scope)),
};

async fn write(stored: Stored, scope: Scope) -> Answer {
    let name_tables = NameTables::fetch(&stored).await;
    let names = Names::read(&name_tables)?;
    let mut out = Out::new(&stored);
    out.text("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"Jitterscope\",\"profiles\":[");
    let cpus: Vec<i16> = scope.trace.cpus.iter().copied().filter(|cpu| scope.has_cpu(*cpu)).collect();
    let mut is_first = true;
    let mut frames = Numbering::default();
    for cpu in cpus {
        let of_cpu = scope.of_cpu(cpu);
        let mut edges = CallEdges::plan(&stored, &of_cpu).await?;
        let mut profile = Profile::new(cpu, &mut frames);
        while let Some(more) = edges.next(&stored, &of_cpu, &names).await? {
            for edge in more {
                if !profile.has_begun() {
                    out.text(if is_first { "" } else { "," });
                    is_first = false;
                }
                profile.add(&mut out, &edge);
                out.pass().await;
            }
        }
        profile.end(&mut out);
    }
    out.text("],\"shared\":{\"frames\":[");
    for (number, idx) in frames.used().iter().enumerate() {
        let name = names.symbols.get(*idx).map(|symbol| symbol.display()).unwrap_or_default();
        out.text(if number > 0 { ",{\"name\":" } else { "{\"name\":" });
        out.bytes.extend(answer_json(&name)?);
        out.byte(b'}');
        out.pass().await;
    }
    out.text("]}}");
    Ok(out.rest())
}

/// What a CPU does over time: the stack of one task at a time. A switch closes the stack of the one and opens what
/// the other had left open.
struct Profile<'f> {
    cpu: i16,
    frames: &'f mut Numbering,
    running: Option<Owner>,
    open: BTreeMap<Owner, Vec<u32>>,
    start_ns: Option<i64>,
    /// Of the last edge.
    last_ns: Option<i64>,
}

impl<'f> Profile<'f> {
    fn new(cpu: i16, frames: &'f mut Numbering) -> Self {
        Self { cpu, frames, running: None, open: BTreeMap::new(), start_ns: None, last_ns: None }
    }

    fn has_begun(&self) -> bool {
        self.start_ns.is_some()
    }

    fn add(&mut self, out: &mut Out<'_>, edge: &Edge) {
        // Times never run backwards here, even where clock readings of the recorder do.
        let t_ns = self.last_ns.map_or(edge.t_ns, |last_ns| edge.t_ns.max(last_ns));
        if !self.has_begun() {
            self.start_ns = Some(t_ns);
            out.text("{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"events\":[");
        }
        let mut comma = self.last_ns.replace(t_ns).is_some();
        if self.running != Some(edge.owner) {
            for owner in [self.running, Some(edge.owner)].into_iter().flatten() {
                let is_opening = owner == edge.owner;
                let frames = self.open.get(&owner).map(Vec::as_slice).unwrap_or_default();
                let mut write = |frame: &u32| event(out, &mut comma, is_opening, *frame, t_ns);
                if is_opening {
                    frames.iter().for_each(&mut write)
                } else {
                    frames.iter().rev().for_each(&mut write)
                }
            }
            self.running = Some(edge.owner);
        }
        let (frame, _) = self.frames.number(edge.call.symbol_idx);
        let stack = self.open.entry(edge.owner).or_default();
        if edge.is_enter {
            stack.push(frame);
        } else {
            stack.pop();
        }
        event(out, &mut comma, edge.is_enter, frame, t_ns);
    }

    fn end(self, out: &mut Out<'_>) {
        let Some((start_ns, last_ns)) = self.start_ns.zip(self.last_ns) else { return };
        out.text("],\"name\":\"CPU ");
        out.number(i64::from(self.cpu));
        out.text("\",\"startValue\":");
        out.number(start_ns);
        out.text(",\"endValue\":");
        out.number(last_ns);
        out.byte(b'}');
    }
}

fn event(out: &mut Out<'_>, comma: &mut bool, is_opening: bool, frame: u32, t_ns: i64) {
    out.text(if *comma { "," } else { "" });
    *comma = true;
    out.text(if is_opening { "{\"type\":\"O\",\"frame\":" } else { "{\"type\":\"C\",\"frame\":" });
    out.number(i64::from(frame));
    out.text(",\"at\":");
    out.number(t_ns);
    out.byte(b'}');
}
