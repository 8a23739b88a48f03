import Foundation

extension Report {
  private struct Record: Encodable {
    let scenario: String
    let title: String
    let peer: String
    let unit: String
    let goal: String
    let median: Double
    let minimum: Double
    let maximum: Double
    let values: [Double]
    let count: Int?
    let deletions: Int?
    let checksum: String?
  }

  private struct Document: Encodable {
    let date: String
    let samples: Int
    let subjects: Int
    let order: String
    let dealing: String
    let repetitions: Int
    let machine: Machine
    let agrees: Bool
    let probes: [Probe]
    let results: [Record]
  }

  /// The results with every repetition.
  package func json() throws -> String {
    let records = rows.flatMap { row in
      zip(peers, row.cells).compactMap { peer, cell in
        cell.map { cell in
          Record(
            scenario: row.scenario.rawValue, title: cell.title, peer: peer, unit: cell.unit,
            goal: cell.goal.rawValue, median: cell.median, minimum: cell.minimum,
            maximum: cell.maximum, values: cell.values, count: cell.digest?.count,
            deletions: cell.digest?.deletions, checksum: cell.digest?.checksum.text)
        }
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(
      date: ISO8601DateFormatter().string(from: Date()), samples: plan.samples,
      subjects: plan.loadOrder.subjects, order: plan.loadOrder.order.rawValue,
      dealing: plan.loadOrder.dealing.rawValue,
      repetitions: plan.repetitions, machine: machine, agrees: agrees, probes: probes,
      results: records)
    return String(decoding: try encoder.encode(document), as: UTF8.self)
  }
}
