import SampleLog

extension FuzzTarget {
  /// Columns of integers.
  static let integers = FuzzTarget(name: "Integers", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let count = input.half() % Block.maximumRows + 1
    let memory = FuzzInput.copy(input.rest)
    defer { withExtendedLifetime(memory) {} }
    let rows = Store.someRows(of: count)
    var single = ByteReader(memory.bytes)
    // A damaged column may return a wrong number for a row, but must return one.
    if let column = try? IntegerColumn(&single, count: count, forOneRow: true) {
      for row in rows { _ = column.decode(row: row) }
    }
    var reader = ByteReader(memory.bytes)
    guard let column = try? IntegerColumn(&reader, count: count) else { return }
    var numbers = [Int64](repeating: 0, count: count)
    column.decode(into: &numbers)
    check(numbers, rows)
  } seeds: {
    let encoder = IntegerEncoder(capacity: Block.maximumRows)
    func seed(_ name: String, _ numbers: [Int64]) -> Seed {
      var writer = ByteWriter()
      encoder.encode(numbers, count: numbers.count, into: &writer)
      var input = FuzzInputWriter()
      input.half(numbers.count - 1)
      input.append(writer.bytes)
      return Seed(name, input.bytes)
    }
    return [
      seed("constant", [Int64](repeating: 7, count: 9)),
      seed("packed", (0..<40).map { $0 * 7919 % 31 }),
      seed("differences", (0..<1100).map { $0 * 1000 + $0 % 3 }),
      seed("sparse", (0..<200).map { $0 % 29 == 0 ? $0 : 5 }),
      seed("exceptions", (0..<90).map { $0 % 40 == 1 ? 1 << 40 : $0 & 3 }),
      seed("compressed", (0..<512).map { ($0 / 64 % 2) * 1_000_003 }),
      seed("wide", [.min, .max, 0, -1, 1, 1 << 62]),
    ]
  }

  /// Checks that the encoder and the decoder agree about any numbers.
  private static func check(_ numbers: [Int64], _ rows: [Int]) {
    var writer = ByteWriter()
    IntegerEncoder(capacity: numbers.count).encode(numbers, count: numbers.count, into: &writer)
    let memory = writer.bytes.withUnsafeBytes { FuzzInput.copy($0) }
    defer { withExtendedLifetime(memory) {} }
    var reader = ByteReader(memory.bytes)
    guard let column = try? IntegerColumn(&reader, count: numbers.count) else {
      fail("integers do not come back")
    }
    var again = numbers
    column.decode(into: &again)
    if again != numbers { fail("integers come back different") }
    for row in rows where column.decode(row: row) != numbers[row] { fail("integer \(row)") }
  }

  /// Columns of start dates and end dates, which may be stored as distances from the start.
  static let doubles = FuzzTarget(name: "Doubles", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let count = input.half() % Block.maximumRows + 1
    let starts = FuzzInput.copy(input.slice(input.half()))
    let ends = FuzzInput.copy(input.rest)
    defer { withExtendedLifetime((starts, ends)) {} }
    let rows = Store.someRows(of: count)
    var (startReader, endReader) = (ByteReader(starts.bytes), ByteReader(ends.bytes))
    if let start = try? DoubleColumn(&startReader, count: count, forOneRow: true) {
      for row in rows { _ = try? start.decode(row: row) }
      if let end = try? DoubleColumn(&endReader, count: count, forOneRow: true) {
        for row in rows { _ = try? end.decodeEnd(row: row, start: start) }
      }
    }
    (startReader, endReader) = (ByteReader(starts.bytes), ByteReader(ends.bytes))
    guard let start = try? DoubleColumn(&startReader, count: count) else { return }
    var numbers = [Double](repeating: 0, count: count)
    var scratch = [Int64](repeating: 0, count: count * 2)
    let isGood =
      (try? start.decode(into: &numbers, scratch: &scratch)) != nil
    if isGood { check(numbers, rows) }
    guard let end = try? DoubleColumn(&endReader, count: count) else { return }
    var more = numbers
    numbers.withUnsafeBufferPointer { known in
      try? end.decodeEnds(
        rows: 0..<count, start: start, starts: isGood ? known.baseAddress : nil, into: &more,
        scratch: &scratch)
    }
  } seeds: {
    let encoder = DoubleEncoder(
      capacity: Block.maximumRows, integers: IntegerEncoder(capacity: 4096))
    func seed(_ name: String, _ starts: [Double], _ ends: [Double]) -> Seed {
      var start = ByteWriter()
      encoder.encodeStarts(starts, count: starts.count, into: &start)
      var end = ByteWriter()
      encoder.encodeEnds(ends, starts: starts, count: starts.count, into: &end)
      var input = FuzzInputWriter()
      input.half(starts.count - 1)
      input.half(start.count)
      input.append(start.bytes)
      input.append(end.bytes)
      return Seed(name, input.bytes)
    }
    let milliseconds = (0..<70).map { Double(1_700_000_000_000 + $0 * 60_001) / 1000 - 978_307_200 }
    let roots = (0..<300).map { Double($0).squareRoot() }
    let odd: [Double] = [.nan, -0.0, .infinity, 0x1p-1074, .greatestFiniteMagnitude, 1, 2, 3]
    return [
      seed("instants", milliseconds, milliseconds),
      seed("intervals", milliseconds, milliseconds.map { $0 + 60 }),
      seed("decimals", (0..<50).map { Double($0) / 10 }, (0..<50).map { Double($0) / 10 + 0.1 }),
      seed("binary", (0..<8).map { Double($0) * 0x1p-20 }, odd),
      seed("odd", odd, odd.reversed()),
      seed("planes", roots, roots),
    ]
  }

  private static func check(_ numbers: [Double], _ rows: [Int]) {
    let encoder = DoubleEncoder(
      capacity: numbers.count, integers: IntegerEncoder(capacity: numbers.count))
    var writer = ByteWriter()
    encoder.encodeValues(numbers, count: numbers.count, into: &writer)
    let memory = writer.bytes.withUnsafeBytes { FuzzInput.copy($0) }
    defer { withExtendedLifetime(memory) {} }
    var reader = ByteReader(memory.bytes)
    var again = numbers
    var scratch = [Int64](repeating: 0, count: numbers.count * 2)
    guard let column = try? DoubleColumn(&reader, count: numbers.count),
      (try? column.decode(into: &again, scratch: &scratch)) != nil,
      Swift.zip(again, numbers).allSatisfy({ $0.bitPattern == $1.bitPattern }),
      rows.allSatisfy({ (try? column.decode(row: $0))?.bitPattern == numbers[$0].bitPattern })
    else { fail("doubles come back different") }
  }

  /// Columns of extras.
  static let extras = FuzzTarget(name: "Extras", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let count = input.half() % Block.maximumRows + 1
    let memory = FuzzInput.copy(input.rest)
    defer { withExtendedLifetime(memory) {} }
    for forOneRow in [true, false] {
      var reader = ByteReader(memory.bytes)
      guard let column = try? ExtrasColumn(&reader, count: count, forOneRow: forOneRow) else {
        continue
      }
      if forOneRow {
        guard let blobs = try? column.allBlobs() else { continue }
        for row in Store.someRows(of: count) {
          guard let code = column.codes?.decode(row: row), code > 0, code <= column.blobCount
          else { continue }
          Store.read(blobs[Int(code) - 1], keptBy: blobs.memory)
        }
      } else {
        var codes = [UInt32](repeating: 0, count: count)
        var scratch = [Int64](repeating: 0, count: count)
        let blobs = UnsafeMutablePointer<Blob>.allocate(capacity: max(1, column.blobCount))
        defer { blobs.deallocate() }
        if let kept = try? column.decode(
          rows: 0..<count, codes: &codes, blobs: blobs, scratch: &scratch)
        {
          for code in codes where code > 0 { Store.read(blobs[Int(code) - 1], keptBy: kept) }
        }
      }
    }
  } seeds: {
    let integers = IntegerEncoder(capacity: Block.maximumRows)
    func seed(_ name: String, _ codes: [Int64], _ blobs: [[UInt8]]) -> Seed {
      var writer = ByteWriter()
      ExtrasCodec.encode(codes, count: codes.count, blobs: blobs, integers: integers, into: &writer)
      var input = FuzzInputWriter()
      input.half(codes.count - 1)
      input.append(writer.bytes)
      return Seed(name, input.bytes)
    }
    return [
      seed("none", [0, 0, 0], []),
      seed("plain", [0, 1, 2, 1], [Samples.extras(1).encoded, Samples.extras(2).encoded]),
      seed("compressed", (0..<40).map { $0 % 21 }, (1...20).map { Samples.extras($0).encoded }),
    ]
  }
}
