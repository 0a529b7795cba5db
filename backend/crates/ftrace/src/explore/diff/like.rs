//! What the other side of a comparison would have to be: the function of a call, or the kind and key of a case.

use serde::Serialize;

use super::located::{call_headers, located_call};
use super::refs::{Ref, RefKind};
use crate::explore::latency::{located_case, params_with_series};
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::{Params, TraceFacts};
use crate::explore::{ExploreError, answer_json};
use crate::store::read::dictionaries::read_symbols;
use crate::store::tables;

/// Either a function, or a kind and what distinguishes its cases.
#[derive(Default, Serialize)]
struct Like {
    trace: String,
    function: Option<String>,
    kind: Option<String>,
    title: Option<&'static str>,
    key: Option<String>,
}

/// GET diff/normals, without the traces: what calls or cases can be compared with the abnormal side.
///
/// Errors: the side is not there.
pub async fn diff_like(stored: Stored) -> Answer {
    let params = Params::new(stored.request().clone(), TraceFacts::default())?;
    let side = params.text("abnormal", super::MAX_SIDE_CHARS)?.unwrap_or_default();
    let side = Ref::parse("abnormal", &side)?;
    let like = like(&side.stored(&stored)?, &side).await.map_err(|error| side.refused(error))?;
    answer_json(&Like { trace: side.trace.clone(), ..like })
}

async fn like(stored: &Stored, side: &Ref) -> Result<Like, ExploreError> {
    let params = params_with_series(stored).await?;
    match side.kind() {
        RefKind::Call | RefKind::CallCase => {
            let (call, _) = located_call(stored, &params, &call_headers(stored).await?).await?;
            Ok(Like { function: Some(call.symbol), ..Like::default() })
        }
        RefKind::Calls => Ok(Like { function: params.text("function", usize::MAX)?, ..Like::default() }),
        RefKind::Case => {
            let located = located_case(stored, &params).await?;
            let symbol = stored.part(stored.all(&tables::SYMBOL)).await;
            let key =
                read_symbols(&symbol)?.get(located.sample.symbol_idx).map(|symbol| symbol.name.to_owned());
            let latency = located.kind.latency();
            Ok(Like {
                kind: Some(latency.name.to_owned()),
                title: Some(latency.title),
                key,
                ..Like::default()
            })
        }
        RefKind::Cases => Ok(Like {
            kind: params.text("kind", usize::MAX)?,
            key: params.text("key", usize::MAX)?,
            ..Like::default()
        }),
    }
}
