import Dispatch
import Foundation
import SampleLog
import Testing

/// The listings in the engine's comments.
@Suite struct EngineListingTests {
  @Test func `a database commits, selects and follows changes`() throws {
    let folder = try Folder()
    let path = folder.url.appending(path: "engine").path

    let database = try Database(path: path)
    let heartRate = database.series(subject: "ada", type: "heartRate")
    var batch = database.makeBatch()
    batch.add(to: heartRate, start: 0, value: 62)
    try database.commit(batch)
    let snapshot = database.snapshot()
    let latest = try snapshot.select([heartRate], order: .start(ascending: false), limit: 1)

    #expect(latest.map(\.value) == [62])
    try follow(database, heartRate)
  }

  private func follow(_ database: Database, _ heartRate: Series) throws {
    let wake = DispatchSemaphore(value: 0)
    var values: [Double] = []

    let feed = try ChangeFeed(database, after: .beginning, of: SeriesSelection([heartRate])) {
      wake.signal()
    }
    while let page = try feed.next(limit: 1000) {
      values += page.changes.map(\.row.value)
    }

    #expect(values == [62])
    feed.cancel()
  }
}
