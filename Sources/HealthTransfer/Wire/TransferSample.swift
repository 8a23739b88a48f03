package import Foundation

/// A sample that is transferred from a phone to a server.
package struct TransferSample: Equatable, Sendable {
  package var id: UUID
  /// The identifier of its type.
  package var type: String
  /// The start in seconds since 2001-01-01 00:00 UTC.
  package var start: Double
  /// The end in seconds since 2001-01-01 00:00 UTC.
  package var end: Double
  /// The quantity in `unit`, or the category value; 0 for other types.
  package var value = 0.0
  /// The unit of a quantity; nil for other types.
  package var unit: String?
  /// The encoded source revision.
  package var source: [UInt8]
  package var device: [UInt8]?
  /// The encoded metadata; empty if there is none.
  package var metadata: [UInt8] = []
  /// The encoded fields that are specific to the sample's class; empty if there are none.
  package var contents: [UInt8] = []
  /// The variable-length parts, such as the points of a series.
  package var parts: [TransferPart] = []

  package init(
    id: UUID, type: String, start: Double, end: Double, source: [UInt8], device: [UInt8]? = nil
  ) {
    self.id = id
    self.type = type
    self.start = start
    self.end = end
    self.source = source
    self.device = device
  }
}

/// A variable-length part of a sample.
package enum TransferPart: Equatable, Sendable {
  /// The points of a series: `width` numbers per point, one point after the other.
  case points(width: Int, numbers: [Double])
  /// The encoded identifiers of the samples that belong to a workout.
  case links([UInt8])
  /// The encoded identifier of a sample that rates the effort of a workout.
  case effort([UInt8])
  /// The workouts that a route belongs to.
  case workouts([UUID])
}

extension TransferPart {
  private enum Kind: UInt8 {
    case points = 1
    case links = 2
    case effort = 3
    case workouts = 4
  }

  /// The maximum number of numbers in a point.
  private static let widest: UInt8 = 16

  func write(to writer: inout WireWriter) {
    switch self {
    case .points(let width, let numbers):
      writer.byte(Kind.points.rawValue)
      writer.byte(UInt8(width))
      writer.count(numbers.count / width)
      for (index, number) in numbers.enumerated() {
        // Relative to the same column of the preceding point.
        writer.number(number, after: index < width ? 0 : numbers[index - width])
      }
    case .links(let bytes):
      writer.byte(Kind.links.rawValue)
      writer.string(bytes)
    case .effort(let bytes):
      writer.byte(Kind.effort.rawValue)
      writer.string(bytes)
    case .workouts(let ids):
      writer.byte(Kind.workouts.rawValue)
      writer.list(ids) { $0.identifier($1) }
    }
  }

  init(_ reader: inout WireReader) throws(TransferError) {
    let start = reader
    switch Kind(rawValue: try reader.byte()) {
    case .points?:
      let width = try reader.byte()
      guard (1...Self.widest).contains(width) else {
        throw start.malformed("points of \(width) numbers")
      }
      let count = try reader.count(of: "points", bytesEach: Int(width)) * Int(width)
      var numbers: [Double] = []
      for index in 0..<count {
        let last = index < width ? 0 : numbers[index - Int(width)]
        numbers.append(try reader.number(after: last))
      }
      self = .points(width: Int(width), numbers: numbers)
    case .links?: self = .links(try reader.string("bytes of links"))
    case .effort?: self = .effort(try reader.string("bytes of an effort"))
    case .workouts?:
      self = .workouts(
        try reader.list(of: "workouts", bytesEach: 16) { reader throws(TransferError) in
          try reader.identifier()
        })
    case nil: throw start.malformed("a part of no known kind")
    }
  }
}
