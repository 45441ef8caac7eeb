//! A node's bits as regions: those that are accessed together, as cells of one width or as bytes.

use super::analysis::Thing;
use super::nodes::{Access, Data, NodeId, Nodes};
use super::regions::{Layout, Region};

/// Folds a node to bytes if an access crosses the end of an element; whether it did.
pub(super) fn fit(nodes: &mut Nodes<Thing>, node: NodeId) -> bool {
    let data = nodes.data(node);
    let crosses = |access: &Access| {
        let (_, end) = data.normal_bits(*access);
        data.stride > 1 && end > 8 * data.stride
    };
    let crossed = data.accesses.iter().chain(&data.tested).any(crosses);
    if crossed {
        nodes.refold(node, |data| data.add_stride(1));
    }
    crossed
}

/// The regions of a node.
pub(super) fn split(data: &Data<Thing>) -> Vec<Region> {
    let accesses = data.deciding();
    if accesses.is_empty() {
        return Vec::new();
    }
    let all = |layout| Region { layout, node: NodeId::NONE, start: i64::MIN / 2, end: i64::MAX / 2 };
    if data.stride == 1 {
        return vec![all(Layout::Bytes)];
    }
    // Bits that belong together.
    let mut parts: Vec<(i64, i64, u32)> = Vec::new();
    for access in &accesses {
        let (start, end) = data.normal_bits(*access);
        parts.push((start, end, access.width));
    }
    parts.sort_unstable();
    parts.dedup();
    let mut regions: Vec<Region> = Vec::new();
    for (start, end, width) in parts {
        match regions.last_mut() {
            Some(last) if start < last.end => {
                last.end = last.end.max(end);
                last.layout = Layout::Bytes;
            }
            _ => {
                regions.push(Region { layout: Layout::Cells { width }, node: NodeId::NONE, start, end });
            }
        }
    }
    // A region of bytes has whole bytes: bit-fields that share a byte with one join it.
    let mut whole: Vec<Region> = Vec::new();
    for mut region in regions {
        if region.layout == Layout::Bytes {
            region.start = region.start.div_euclid(8) * 8;
            region.end = (region.end + 7).div_euclid(8) * 8;
        }
        while let Some(last) = whole.last() {
            if last.end <= region.start || (last.layout != Layout::Bytes && region.layout != Layout::Bytes) {
                break;
            }
            region.start = region.start.min(last.start).div_euclid(8) * 8;
            region.end = region.end.max((last.end + 7).div_euclid(8) * 8);
            region.layout = Layout::Bytes;
            whole.pop();
        }
        whole.push(region);
    }
    whole
}
