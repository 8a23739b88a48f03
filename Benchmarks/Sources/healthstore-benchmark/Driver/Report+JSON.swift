import Foundation

extension Report {
  private struct Record: Encodable {
    let scenario: String
    let title: String
    let peer: String
    let unit: String
    let median: Double
    let values: [Double]
    let count: Int?
    let deletions: Int?
    let checksum: String?
  }

  private struct Document: Encodable {
    let samples: Int
    let agrees: Bool
    let results: [Record]
  }

  /// The results with every repetition.
  func json() throws -> String {
    let records = rows.flatMap { row in
      zip(peers, row.cells).map { peer, cell in
        Record(
          scenario: row.scenario.rawValue,
          title: cell.title,
          peer: peer,
          unit: cell.unit,
          median: cell.median,
          values: cell.values,
          count: cell.digest?.count,
          deletions: cell.digest?.deletions,
          checksum: cell.digest?.checksum.text
        )
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let document = Document(samples: samples, agrees: agrees, results: records)
    return String(decoding: try encoder.encode(document), as: UTF8.self)
  }
}
