internal import CPlatform

/// Returns a number that identifies the current thread.
func currentThread() -> UInt { UInt(cplatform_current_thread()) }
