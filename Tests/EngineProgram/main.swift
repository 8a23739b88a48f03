import SampleLog

let database = try Database(path: "engine")
let heartRate = database.series(subject: "ada", type: "heartRate")

var batch = database.makeBatch()
for (minute, value) in [62.0, 64, 61].enumerated() {
  batch.add(to: heartRate, start: Double(minute) * 60, value: value)  // seconds since 2001
}
try database.commit(batch)  // durable when it returns

let snapshot = database.snapshot()  // unaffected by later commits
let latest = try snapshot.select([heartRate], order: .start(ascending: false), limit: 2)
for row in latest { print("selected", row.value) }

// A durable subscription resumes where it was; deletions are kept until it acknowledges them.
let mirror = database.subscription("mirror")
let position = try mirror.position ?? mirror.acknowledge(.beginning)
let feed = try ChangeFeed(database, after: position, of: SeriesSelection([heartRate])) {
  print("notified")
}

func readOn() throws {
  while let page = try feed.next(limit: 1000) {
    for change in page.changes { print(change.kind, change.row.value) }
    try mirror.acknowledge(page.anchor)
  }
}
try readOn()  // the samples; enables notifications

var deletion = database.makeBatch()
deletion.delete(latest[0].id)
try database.commit(deletion)
try readOn()  // the deletion

print("dropped", try database.compact().samplesDropped)
feed.cancel()  // prevents a last notification on close
try database.close()
