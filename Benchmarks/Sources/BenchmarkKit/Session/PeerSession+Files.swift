import Foundation

extension PeerSession {
  func size(title: String, live: Int) throws -> Measurement {
    let bytes = Double(try Self.allocatedBytes(directory)) / Double(live)
    return Measurement(title, "B/sample", .less, [bytes])
  }

  func compactedSize() throws -> Measurement {
    let peer = try peer()
    try peer.compact()
    try peer.quiesce()
    let deleted = (1...UInt64(sampleCount)).count(where: StreamIdentifier.isDeletedLater)
    let live = max(1, sampleCount - deleted + state.extraSamples)
    return try size(title: "size, compacted", live: live)
  }

  /// Repeats earlier reads on files that contain only live data.
  func compacted() throws -> [Measurement] {
    try peer().compact()
    return try (day() + [scan(), catchUp()]).map { measurement in
      var measurement = measurement
      measurement.title += ", compacted"
      return measurement
    }
  }

  /// Opens the store in new processes, with the files in the page cache.
  func reopen() throws -> [Measurement] {
    _ = try peer()
    try closePeer()
    return try openings(7, title: "open")
  }

  /// Opens the store after killing a process that had just saved 100,000 samples.
  func reopenAfterKill() throws -> [Measurement] {
    _ = try peer()
    try closePeer()
    var all: [[Measurement]] = []
    for _ in 0..<plan.repetitions {
      try Child.fillAndKill(self)
      note(extraSamples: Child.fillCount)
      all.append(try openings(1, title: "open after kill -9"))
    }
    guard let last = all.last else { return [] }
    return last.indices.map { position in
      var result = last[position]
      result.values = all.flatMap { $0[position].values }
      return result
    }
  }

  private func openings(_ count: Int, title: String) throws -> [Measurement] {
    let results = try (0..<count).map { _ in try Child.open(self) }
    let digest = results.last?.digest
    return [
      Measurement(title, "ms", .less, results.map { $0.open * 1e3 }, digest),
      Measurement(
        "… and newest glucose", "ms", .less, results.map { ($0.open + $0.read) * 1e3 }),
    ]
  }

  /// The disk space of a directory.
  ///
  /// A sparse or preallocated file counts its allocated blocks.
  static func allocatedBytes(_ directory: String) throws -> Int {
    let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
    return files.reduce(into: 0) { bytes, file in
      var status = stat()
      if lstat("\(directory)/\(file)", &status) == 0 { bytes += Int(status.st_blocks) * 512 }
    }
  }
}
