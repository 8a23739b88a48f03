#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A source of notifications that the contents of a directory may have changed.
///
/// Notifications are hints: they may be spurious, and on network file systems they may never
/// arrive. A caller that waits must also poll periodically.
public protocol DirectoryWatch: AnyObject {
  /// Waits for a change since the watch was created or since the last wait.
  ///
  /// - Parameter duration: The maximum time to wait; the call may return earlier.
  func wait(atMost duration: Duration)
}

/// A watch without notifications, which returns after at most 50 milliseconds.
final class PollingWatch: DirectoryWatch {
  func wait(atMost duration: Duration) { pause(min(duration, .milliseconds(50))) }
}

/// Suspends the calling thread.
private func pause(_ duration: Duration) {
  _ = poll(nil, 0, milliseconds(duration))
}

/// Returns a duration in milliseconds, rounded up so that a short wait does not spin.
private func milliseconds(_ duration: Duration) -> Int32 {
  Int32((min(max(duration.seconds, 0), 86_400) * 1000).rounded(.up))
}

#if os(Linux)
  /// A watch that uses inotify events for writes, creations, renames and removals.
  final class NoticeWatch: DirectoryWatch {
    private let descriptor: Int32

    /// Watches a directory; returns nil if the kernel grants this user no more watches.
    init?(_ path: String) {
      descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      let kinds = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE
      guard inotify_add_watch(descriptor, path, UInt32(kinds)) >= 0 else {
        close(descriptor)
        return nil
      }
    }

    deinit { close(descriptor) }

    func wait(atMost duration: Duration) {
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, milliseconds(duration)) > 0 else { return }
      // Drain the events, whose contents do not matter.
      var bytes = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &bytes, bytes.count) > 0 {}
    }
  }
#endif
