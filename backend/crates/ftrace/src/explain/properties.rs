//! Whatever is recorded, the parts of an explanation add up to its case.

use proptest::prelude::*;

use super::explain_briefly;
use crate::testing::explain::{explain_all, random_text};

proptest! {
    #[test]
    fn everything_adds_up(text in random_text(0)) {
        explain_all(&text, |_| true, |case, explanation, around| {
            let blamed: i64 = explanation.blame.iter().map(|blame| blame.duration_ns).sum();
            assert_eq!(blamed, case.duration_ns, "{case:?}\n{text}");
            assert!(explanation.blame.iter().all(|blame| blame.duration_ns > 0 && blame.longest_ns > 0));
            if !explanation.stages.is_empty() {
                let steps: i64 = explanation.stages.iter().map(|stage| stage.duration_ns).sum();
                assert_eq!(steps, case.duration_ns, "{case:?}\n{text}");
                assert!(explanation.stages.iter().all(|stage| stage.duration_ns >= 0));
            }
            let mut at_ns = case.start_ns;
            for link in &explanation.why {
                assert_eq!(link.start_ns, at_ns, "{case:?}\n{text}");
                assert!(link.start_ns < link.end_ns && !link.sentence.is_empty());
                at_ns = link.end_ns;
            }
            assert!(explanation.why.is_empty() || at_ns == case.end_ns(), "{case:?}\n{text}");
            assert!(explanation.evidence.iter().all(|evidence| evidence.overlap_ns > 0));
            assert!(!explanation.headline.is_empty());
            assert_eq!(explain_briefly(case, around).headline, explanation.headline);
        });
    }
}
