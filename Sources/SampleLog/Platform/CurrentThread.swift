internal import CPlatform

/// A number that tells the running thread from all others.
func currentThread() -> UInt { UInt(cplatform_current_thread()) }
