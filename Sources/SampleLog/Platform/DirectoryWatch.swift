#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Tells when something in a directory may have changed.
///
/// A hint only: it may come without cause, and where files are shared over a network it may not
/// come at all. Whoever waits looks for itself every now and then.
public protocol DirectoryWatch: AnyObject {
  /// Waits for a change since the watch was made or since the last wait.
  ///
  /// - Parameter duration: The longest to wait; the watch may come back earlier.
  func wait(atMost duration: Duration)
}

/// A watch that knows nothing and comes back after a twentieth of a second.
final class PollingWatch: DirectoryWatch {
  func wait(atMost duration: Duration) { pause(min(duration, .milliseconds(50))) }
}

/// Lets the calling thread rest.
private func pause(_ duration: Duration) {
  _ = poll(nil, 0, milliseconds(duration))
}

/// The whole milliseconds of a time, rounded up so that a wait is never a spin.
private func milliseconds(_ duration: Duration) -> Int32 {
  Int32((min(max(duration.seconds, 0), 86_400) * 1000).rounded(.up))
}

#if os(Linux)
  /// A watch by the kernel's notices of a directory: writes, new names and names that go.
  final class NoticeWatch: DirectoryWatch {
    private let descriptor: Int32

    /// Watches a directory; nil where the kernel gives no more watches to this user.
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
      // What the notices say does not matter, but they must not be found again.
      var bytes = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &bytes, bytes.count) > 0 {}
    }
  }
#endif
