//! Which memory expressions touch, and what calls reach.

use super::analysis::{Callees, Thing, is_aggregate};
use super::regions::{Memory, RegionId};
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, ObjectId, PlaceId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What expressions touch beyond plain variables.
#[derive(Default, Debug)]
pub(crate) struct Touches {
    pub(crate) places: FxHashMap<PlaceId, Vec<RegionId>>,
    pub(crate) calls: FxHashMap<ExprId, Vec<RegionId>>,
    pub(crate) callees: FxHashMap<ExprId, Vec<FunctionId>>,
    /// The calls through pointers that may reach functions of other translation units.
    pub(crate) unknown: FxHashSet<ExprId>,
    /// The functions of another type that calls through pointers reach.
    pub(crate) mistyped: FxHashMap<ExprId, Vec<FunctionId>>,
    /// The functions that a call hands to an undefined function.
    pub(crate) callbacks: FxHashMap<ExprId, Vec<FunctionId>>,
    /// The regions of the variables in memory.
    pub(crate) objects: FxHashMap<ObjectId, Vec<RegionId>>,
}

impl Memory<'_> {
    /// Which regions each lvalue and each call of an undefined function may touch, and what calls through pointers
    /// reach.
    pub(crate) fn touches(&mut self) -> Touches {
        let unit = self.analysis.unit;
        let mut touches = Touches::default();
        let places: Vec<PlaceId> = self.analysis.places.keys().copied().collect();
        for place in places {
            let regions = if is_aggregate(unit[place].ty) {
                let at = self.place(place);
                self.node_regions(at)
            } else {
                self.place_region(place).into_iter().collect()
            };
            touches.places.insert(place, regions);
        }
        let objects: Vec<ObjectId> = self
            .analysis
            .things
            .keys()
            .filter_map(|thing| match thing {
                Thing::Object(object) => Some(*object),
                _ => None,
            })
            .collect();
        for object in objects.into_iter().filter(|&o| !self.is_plain(o)).collect::<Vec<_>>() {
            let at = self.thing(Thing::Object(object));
            touches.objects.insert(object, self.node_regions(at));
        }
        for (call, callee) in self.analysis.calls() {
            let ExprKind::Call { ref args, .. } = unit[call].kind else { continue };
            let mut called = Vec::new();
            let undefined = match callee {
                Callee::Function(function) => {
                    called.push(function);
                    unit[function].body.is_none()
                }
                Callee::Pointer(..) => {
                    let Callees { functions, others, mistyped } = self.callees(call);
                    let strange = others || !mistyped.is_empty();
                    let undefined = strange || functions.iter().any(|&f| unit[f].body.is_none());
                    called.extend(functions.iter().chain(&mistyped));
                    touches.callees.insert(call, functions);
                    touches.mistyped.insert(call, mistyped);
                    if others {
                        touches.unknown.insert(call);
                    }
                    undefined
                }
            };
            if undefined {
                let (functions, pointers) = self.analysis.handed_over(args);
                touches.calls.insert(call, self.reachable(pointers));
                if touches.unknown.contains(&call) || self.analysis.may_be_undefined(&called) {
                    touches.callbacks.insert(call, functions);
                }
            }
        }
        for (e, pointers) in self.analysis.given_away() {
            touches.calls.insert(e, self.reachable(pointers));
        }
        touches
    }
}
