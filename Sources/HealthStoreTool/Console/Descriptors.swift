import Foundation

/// The file descriptors that a program is started with.
enum Descriptors {
  /// Makes sure that none of the standard descriptors is free.
  ///
  /// The next file to be opened takes the lowest free number. With standard output closed that
  /// would be a file of the store, and the output would be written into it. What takes the places
  /// can be used for the wrong direction only, so that using them is the error that it was.
  static func occupyStandard() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: ``ClosedOutput`` when the other end of a pipe is gone, ``OutputError`` when writing
  ///   is impossible for any other reason.
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
          // Whoever shares the descriptor made it one that does not wait.
          var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&state, 1, -1)
        case EPIPE: throw ClosedOutput()
        default: throw OutputError(code: errno)
        }
      }
    }
  }
}

/// Nobody reads the output any more.
struct ClosedOutput: Error {}

/// The output cannot be written.
struct OutputError: Error, Equatable {
  /// The system's number of the reason.
  var code: Int32

  /// One sentence for a person.
  var sentence: String { "The output cannot be written: \(String(cString: strerror(code)))." }
}
