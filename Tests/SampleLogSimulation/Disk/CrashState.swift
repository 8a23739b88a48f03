/// The durable and the uncertain state of a disk at one moment of its record.
///
/// Bytes since a file's last sync, and names since the directory's last sync, are uncertain. A
/// rename is atomic: the new name refers to the complete file or to its previous target.
package struct CrashState: Sendable {
  struct File: Sendable {
    /// The durable bytes.
    var base: [UInt8]
    /// The visible bytes.
    var current: [UInt8]
    /// The visible bytes before the last change.
    var previous: [UInt8]
    /// The last write, if it was the last change.
    var lastWrite: (offset: Int, bytes: [UInt8])?
    var isPending = false
    /// The visible bytes at the time of a failed sync.
    ///
    /// Any part of the difference from `base` may be on the disk, permanently.
    var doubt: [UInt8]?
    /// The ranges written since then, which the next sync writes in any case.
    var rewritten: [Range<Int>] = []
    /// Bytes of the file before a truncation, which reallocated blocks may contain.
    var ghost: [UInt8] = []

    /// Records the possible bytes of the blocks that are about to be truncated: all nonzero bytes
    /// written to them that were not certainly overwritten.
    mutating func haunt() {
      var bytes = current
      for older in [doubt ?? [], base, ghost] {
        for (position, byte) in older.enumerated() {
          if position >= bytes.count {
            bytes.append(byte)
          } else if bytes[position] == 0 {
            bytes[position] = byte
          }
        }
      }
      ghost = bytes
    }

    init(_ bytes: [UInt8]) {
      base = bytes
      current = bytes
      previous = bytes
    }
  }

  enum NameChange: Sendable {
    case link(String, Int)
    case move(String, String, Int)
    case unlink(String)
  }

  private(set) var files: [File] = []
  /// The durable names, and the changes since.
  private(set) var names: [String: Int] = [:]
  private(set) var nameChanges: [NameChange] = []
  /// Bytes of the last log that was removed, which preallocated space may contain.
  private(set) var stale: [UInt8] = []

  package init(_ image: DiskImage) {
    for entry in image.entries {
      names[entry.name] = files.count
      var file = File(entry.bytes)
      file.ghost = image.ghosts[entry.name] ?? []
      files.append(file)
    }
  }

  /// Applies the next operation.
  package mutating func apply(_ operation: DiskOperation) {
    switch operation {
    case .create(let name, let file):
      files.append(File([]))
      nameChanges.append(.link(name, file))
    case .link(let name, let file): nameChanges.append(.link(name, file))
    case .rename(let from, let to, let file):
      nameChanges.append(.move(from, to, file))
    case .remove(let name):
      if name.hasSuffix(".log"), let file = visible[name] { stale = files[file].current }
      nameChanges.append(.unlink(name))
    case .syncDirectory:
      names = visible
      nameChanges = []
    case .write(let file, let offset, let bytes):
      change(file) { $0.overlay(bytes, at: offset) }
      files[file].lastWrite = (offset, bytes)
      if files[file].doubt != nil {
        files[file].rewritten.append(offset..<offset + bytes.count)
      }
    case .truncate(let file, let length):
      if length < files[file].current.count { files[file].haunt() }
      change(file) { $0.resize(to: length) }
    case .sync(let file): sync(file)
    case .loseTrack(let file):
      files[file].doubt = files[file].current
      files[file].rewritten = []
    case .fallBack(let file, let bytes):
      let ghost = files[file].ghost
      files[file] = File(bytes)
      files[file].ghost = ghost
    case .preallocate, .lock: break
    }
  }

  private mutating func change(_ file: Int, _ edit: (inout [UInt8]) -> Void) {
    files[file].previous = files[file].current
    files[file].lastWrite = nil
    edit(&files[file].current)
    files[file].isPending = true
  }

  private mutating func sync(_ file: Int) {
    var one = files[file]
    one.lastWrite = nil
    // Overwritten bytes are no longer stale.
    for position in 0..<min(one.ghost.count, one.current.count) {
      one.ghost[position] = one.current[position]
    }
    if let doubt = one.doubt {
      // Only changes since the failed sync, and ranges written again, are now durable.
      if one.current.count < doubt.count, one.current.count < one.base.count {
        one.base.resize(to: one.current.count)
      }
      for position in one.current.indices {
        let isNew = position >= doubt.count || one.current[position] != doubt[position]
        if position >= one.base.count { one.base.append(0) }
        if isNew { one.base[position] = one.current[position] }
      }
      for range in one.rewritten {
        for position in range.clamped(to: one.current.indices) {
          one.base[position] = one.current[position]
        }
      }
      one.rewritten = []
    } else {
      one.base = one.current
    }
    if one.base == one.current {
      one.doubt = nil
      one.isPending = false
    }
    files[file] = one
  }

  /// The visible names.
  var visible: [String: Int] {
    nameChanges.reduce(into: names) { Self.apply($1, to: &$0) }
  }

  static func apply(_ change: NameChange, to names: inout [String: Int]) {
    switch change {
    case .link(let name, let file): names[name] = file
    case .move(let from, let to, let file):
      names[from] = nil
      names[to] = file
    case .unlink(let name): names[name] = nil
    }
  }
}
