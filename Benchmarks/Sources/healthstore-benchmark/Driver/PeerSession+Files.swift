import Foundation

extension PeerSession {
  func size(title: String, live: Int) throws -> Measurement {
    let bytes = Double(try allocatedBytes()) / Double(live)
    return Measurement(
      title: title, unit: "B/sample", goal: .less, values: [bytes], digest: nil
    )
  }

  func compactedSize() throws -> Measurement {
    let peer = try peer()
    try peer.compact()
    try peer.settle()
    let deleted = (1...UInt64(sampleCount)).count(where: StreamIdentifier.isDeletedLater)
    return try size(title: "size, compacted", live: max(1, sampleCount - deleted))
  }

  /// Opens the store again in this process, the files being in the page cache.
  func reopen() throws -> Measurement {
    var costs: [Double] = []
    _ = try peer()
    let digest = try repeated(7, scenario: .open) { digest in
      try closePeer()
      let watch = Stopwatch()
      try peer().newest(of: .glucose, into: &digest)
      costs.append(watch.seconds * 1e3)
    }
    return Measurement(
      title: "open and newest glucose", unit: "ms", goal: .less, values: costs, digest: digest
    )
  }

  /// What the directory takes up on disk; a sparse or preallocated file counts what it has got.
  private func allocatedBytes() throws -> Int {
    let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
    return files.reduce(into: 0) { bytes, file in
      var status = stat()
      if lstat("\(directory)/\(file)", &status) == 0 { bytes += Int(status.st_blocks) * 512 }
    }
  }
}
