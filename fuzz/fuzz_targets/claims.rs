#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| turnstop_fuzz::check("claims", bytes));
