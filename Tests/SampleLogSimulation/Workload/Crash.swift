/// The crash images of a single moment.
enum Crash {
  /// Returns a random image that a crash at the end of a record may leave.
  static func randomImage(
    _ image: DiskImage, _ record: [DiskOperation], _ random: inout Seeded
  ) -> DiskImage {
    var state = CrashState(image)
    for operation in record { state.apply(operation) }
    guard let last = record.last else { return image }
    var images: [DiskImage] = []
    state.images(after: last, step: 64, &random) { images.append($0) }
    return images.isEmpty ? image : images[random.below(images.count)]
  }
}

extension ArraySlice<DiskOperation> {
  /// Whether a log was created and made durable but not written to yet.
  var hasSuccessor: Bool {
    var newest: Int?
    var isDone = false
    for operation in self {
      switch operation {
      case .rename(_, let name, let file) where name.hasSuffix(".log"): newest = file
      case .syncDirectory: isDone = newest != nil
      case .write(let file, _, _) where file == newest,
        .loseTrack(let file) where file == newest,
        .fallBack(let file, _) where file == newest:
        newest = nil
        isDone = false
      default: break
      }
    }
    return isDone
  }

  /// Whether the data of a failed write were overwritten with zeros durably.
  var isTakenBack: Bool {
    var cleared: Int?
    for (position, operation) in zip(indices, self) {
      switch operation {
      case .write(let file, _, let bytes):
        if bytes.allSatisfy({ $0 == 0 }) {
          cleared = file
        } else if file == cleared {
          cleared = nil
        }
      case .loseTrack(let file) where file == cleared, .fallBack(let file, _) where file == cleared:
        cleared = nil
      case .sync(let file) where file == cleared:
        return !self[(position + 1)...].contains { $0.writes(to: file) }
      default: break
      }
    }
    return false
  }
}

extension DiskOperation {
  fileprivate func writes(to other: Int) -> Bool {
    if case .write(let file, _, _) = self { return file == other }
    return false
  }
}

extension SimulatedDisk {
  /// The faults that have not occurred yet, with ordinals counted from now.
  var remainingFaults: [DiskFault] {
    faults.compactMap { fault in
      var fault = fault
      fault.ordinal -= count(fault.call)
      return fault.ordinal > 0 ? fault : nil
    }
  }
}
