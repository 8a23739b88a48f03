import Foundation

/// Tells whether a store's files may have changed since it was asked last.
///
/// Logs are allocated ahead, so their size says nothing: the times of change do. Times are not
/// exact, so files that changed a moment ago count as changed again.
struct StoreWatch {
  private struct Entry: Equatable {
    var name: String
    var size: Int
    var changed: Date
  }

  private let path: String
  private let moment: TimeInterval
  private var seen: [Entry] = []
  private var isRecent = true

  init(_ path: String, moment: TimeInterval = 1) {
    self.path = path
    self.moment = moment
  }

  mutating func mayHaveChanged(now: Date = Date()) -> Bool {
    var entries: [Entry] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted() where StoreOpening.isData(name) {
      let facts = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
      entries.append(
        Entry(
          name: name, size: facts?[.size] as? Int ?? 0,
          changed: facts?[.modificationDate] as? Date ?? .distantPast))
    }
    let newest = entries.map(\.changed).max() ?? .distantPast
    defer {
      seen = entries
      isRecent = now.timeIntervalSince(newest) < moment
    }
    return isRecent || entries != seen
  }
}
