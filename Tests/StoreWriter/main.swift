import HealthKit

// Executes commands from standard input, one per line, and answers each line after the command
// completes: `save COUNT`, `delete UUID`, `compact`, `reopen`, `release`. Any other line makes the
// process exit.

func answer(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let directory = URL(fileURLWithPath: CommandLine.arguments[1])
let heartRate = HKQuantityType(.heartRate)
let unit = HKUnit.count().unitDivided(by: .minute())
let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
var store: HKHealthStore? = try HKHealthStore(directory: directory)
answer("open")

while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  switch words[0] {
  case "save":
    let samples = (0..<(Int(words[1]) ?? 0)).map { number in
      HKQuantitySample(
        type: heartRate, quantity: HKQuantity(unit: unit, doubleValue: 60),
        start: start + Double(number), end: start + Double(number))
    }
    try await store?.save(samples)
    answer(samples.map(\.uuid.uuidString).joined(separator: " "))
  case "delete":
    let uuids = Set(words.dropFirst().compactMap { UUID(uuidString: $0) })
    let count = try await store?.deleteObjects(
      of: heartRate, predicate: HKQuery.predicateForObjects(with: uuids))
    answer("deleted \(count ?? 0)")
  case "compact":
    try await store?.compact()
    answer("compacted")
  case "reopen":
    try await store?.close()
    store = try HKHealthStore(directory: directory)
    answer("reopened")
  case "release":
    store = nil
    answer("released")
  default:
    exit(0)
  }
}
