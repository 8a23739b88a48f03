import Dispatch
import Foundation
import SampleLog
import Testing

/// The listings in the engine's comments.
@Suite struct EngineListingTests {
  @Test func `a database commits, selects and is followed`() throws {
    let folder = try Folder()
    let path = folder.url.appending(path: "engine").path

    let database = try Database(path: path)
    let key = SeriesKey(
      subject: database.symbols.intern("ada"), type: database.symbols.intern("heartRate"))
    var batch = Batch()
    batch.add(to: key, start: 0, value: 62)
    try database.commit(batch)
    let snapshot = database.snapshot()
    let latest = try snapshot.select([key], order: .start(ascending: false), limit: 1)

    #expect(latest.map(\.value) == [62])
    try follow(database, key)
  }

  private func follow(_ database: Database, _ key: SeriesKey) throws {
    let wake = DispatchSemaphore(value: 0)
    var values: [Double] = []

    let feed = try ChangeFeed(database, after: .beginning, of: SeriesSelection([key])) {
      wake.signal()
    }
    while let page = try feed.next(limit: 1000) {
      values += page.changes.map(\.row.value)
    }

    #expect(values == [62])
    feed.cancel()
  }
}
