/// A kind of file system call that a simulated disk can fail.
package enum DiskCall: String, CaseIterable, Sendable {
  case list, open, create, size, read, write, sync, preallocate, truncate, rename, remove
  case syncDirectory, lock, createDirectory, link

  /// The errors to inject for the call, as Linux errno values.
  package var codes: [DiskError] {
    switch self {
    case .list, .open: [.tooManyFiles, .inputOutput]
    case .create: [.noSpace, .tooManyFiles, .readOnly, .noPermission]
    case .size, .read: [.inputOutput]
    case .write: [.inputOutput, .noSpace, .overQuota, .fileTooBig]
    case .sync, .syncDirectory: [.inputOutput, .noSpace]
    case .preallocate: [.noSpace, .overQuota]
    case .truncate, .rename, .link: [.inputOutput, .noSpace]
    case .remove: [.inputOutput, .readOnly]
    case .lock, .createDirectory: [.noPermission]
    }
  }
}

/// An error that a simulated disk can return.
package enum DiskError: Int32, CaseIterable, Sendable {
  case inputOutput = 5
  case noPermission = 13
  case tooManyFiles = 24
  case fileTooBig = 27
  case noSpace = 28
  case readOnly = 30
  case overQuota = 122

  /// The name of the error in errno.h.
  package var name: String {
    switch self {
    case .inputOutput: "EIO"
    case .noPermission: "EACCES"
    case .tooManyFiles: "EMFILE"
    case .fileTooBig: "EFBIG"
    case .noSpace: "ENOSPC"
    case .readOnly: "EROFS"
    case .overQuota: "EDQUOT"
    }
  }
}

/// One or more consecutive calls of a kind that fail.
package struct DiskFault: Hashable, Sendable, CustomStringConvertible {
  package var call: DiskCall
  /// The ordinal of the first call of the kind that fails, from 1.
  package var ordinal: Int
  /// The number of consecutive calls of the kind that fail.
  package var times = 1
  package var error = DiskError.inputOutput
  /// Whether the call nevertheless takes effect partially or completely.
  ///
  /// A write is partial, a rename complete. For a sync, whether the page cache reverts to the
  /// disk's contents.
  package var isOdd = false

  package init(
    _ call: DiskCall, _ ordinal: Int, times: Int = 1, error: DiskError = .inputOutput,
    isOdd: Bool = false
  ) {
    self.call = call
    self.ordinal = ordinal
    self.times = times
    self.error = error
    self.isOdd = isOdd
  }

  /// The fault in the form that ``init(_:)`` parses: `sync@3x2:EIO:odd`.
  package var description: String {
    let count = times == 1 ? "" : "x\(times)"
    return "\(call.rawValue)@\(ordinal)\(count):\(error.name)\(isOdd ? ":odd" : "")"
  }

  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":")
    let position = parts.first?.split(separator: "@") ?? []
    let numbers = position.last?.split(separator: "x").compactMap { Int($0) } ?? []
    guard parts.count >= 2, position.count == 2, let call = DiskCall(rawValue: String(position[0])),
      let ordinal = numbers.first,
      let error = DiskError.allCases.first(where: { $0.name == parts[1] })
    else { return nil }
    self.init(
      call, ordinal, times: numbers.count > 1 ? numbers[1] : 1, error: error,
      isOdd: parts.count > 2)
  }
}
