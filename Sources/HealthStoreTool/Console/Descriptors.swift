import Foundation

/// The standard file descriptors of the process.
enum Descriptors {
  /// Opens `/dev/null` for each standard descriptor that is closed.
  ///
  /// The next file opened takes the lowest free descriptor. If standard output were closed, that
  /// could be a file of the store, and the output would overwrite it. The placeholders are opened
  /// for the opposite direction, so reading or writing them remains an error.
  static func occupyStandard() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all bytes, and waits if the descriptor is non-blocking.
  ///
  /// - Throws: ``ClosedOutput`` if the reader has closed the pipe, and ``OutputError`` if writing
  ///   fails for any other reason.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Foundation.write(descriptor, part.baseAddress, part.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
          continue
        }
        switch errno {
        case EINTR: break
        case EAGAIN:
          // Another process that shares the descriptor made it non-blocking.
          var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&state, 1, -1)
        case EPIPE: throw ClosedOutput()
        default: throw OutputError(code: errno)
        }
      }
    }
  }
}

/// The error of writing to a pipe that its reader has closed.
struct ClosedOutput: Error {}

/// The error of an output that cannot be written.
struct OutputError: Error, Equatable {
  /// The `errno` of the failed write.
  var code: Int32

  /// The message for the user.
  var sentence: String { "The output cannot be written: \(String(cString: strerror(code)))." }
}
