import Foundation
import SampleLog
import SampleLogNATS

extension NATSServers {
  private func streamFolder(_ number: Int, _ storeID: Identifier) -> URL {
    home(number).appending(path: "jetstream/$G/streams/\(NATSStream.name(of: storeID))")
  }

  /// Removes a store's stream from the disk of a stopped server.
  func removeStream(_ number: Int, of storeID: Identifier) throws {
    let stream = streamFolder(number, storeID)
    if FileManager.default.fileExists(atPath: stream.path) {
      try FileManager.default.removeItem(at: stream)
    }
  }

  /// Truncates the last message file of a stopped server to a fraction between 0 and 1.
  func cutStream(_ number: Int, of storeID: Identifier, keeping part: Double) throws {
    let folder = streamFolder(number, storeID).appending(path: "msgs")
    let blocks = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let numbers = blocks.filter { $0.hasSuffix(".blk") }.compactMap { Int($0.dropLast(4)) }
    guard let last = numbers.max() else { return }
    let file = try FileHandle(forUpdating: folder.appending(path: "\(last).blk"))
    try file.truncate(atOffset: UInt64(Double(try file.seekToEnd()) * part))
    try file.close()
  }
}
