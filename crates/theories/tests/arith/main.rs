//! Linear arithmetic against slow and obvious references.

#![allow(clippy::unwrap_used)] // A test fails by panicking.

mod chains;
mod difference;
mod driver;
mod examples;
mod fourier_motzkin;
mod integers;
mod rational;
mod simplex;
