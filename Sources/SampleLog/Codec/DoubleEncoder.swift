/// An encoder for columns of doubles, with reusable buffers.
package final class DoubleEncoder {
  let capacity: Int
  let integers: IntegerEncoder
  /// The integers of the column and model tried last.
  let scaled: UnsafeMutablePointer<Int64>
  private let starts: UnsafeMutablePointer<Int64>
  /// The rows of that column that the model cannot restore exactly.
  private(set) var exceptions: [UInt16] = []
  // The model of the start column encoded last, or nil if some of its dates do not fit a model.
  private var startModel: DoubleModel?

  package init(capacity: Int, integers: IntegerEncoder) {
    self.capacity = capacity
    self.integers = integers
    scaled = .allocate(capacity: capacity)
    starts = .allocate(capacity: capacity)
  }

  deinit {
    scaled.deallocate()
    starts.deallocate()
  }

  package func encodeValues(
    _ values: UnsafePointer<Double>, count: Int, into writer: inout ByteWriter
  ) {
    _ = encode(values, count: count, dates: false, into: &writer)
  }

  package func encodeDates(
    _ values: UnsafePointer<Double>, count: Int, into writer: inout ByteWriter
  ) {
    _ = encode(values, count: count, dates: true, into: &writer)
  }

  /// Encodes start dates and keeps their integers for the end dates that follow.
  package func encodeStarts(
    _ values: UnsafePointer<Double>, count: Int, into writer: inout ByteWriter
  ) {
    startModel = encode(values, count: count, dates: true, into: &writer)
    if startModel != nil { starts.update(from: scaled, count: count) }
  }

  /// Encodes the end dates that belong to the start dates encoded just before.
  package func encodeEnds(
    _ values: UnsafePointer<Double>, starts startValues: UnsafePointer<Double>, count: Int,
    into writer: inout ByteWriter
  ) {
    var same = true
    for index in 0..<count
    where values[index].bitPattern != startValues[index].bitPattern {
      same = false
      break
    }
    if same {
      writer.byte(DoubleCodec.sameAsStart)
      writer.varint(UInt64(count))
    } else if let startModel, scale(values, count: count, startModel) == 0 {
      for index in 0..<count { scaled[index] &-= starts[index] }
      writer.byte(DoubleCodec.afterStart)
      integers.encode(scaled, count: count, into: &writer)
    } else {
      encodeDates(values, count: count, into: &writer)
    }
  }

  /// Encodes a column.
  ///
  /// Returns its model if every value fits it.
  private func encode(
    _ values: UnsafePointer<Double>, count: Int, dates: Bool, into writer: inout ByteWriter
  ) -> DoubleModel? {
    precondition(count > 0 && count <= capacity)
    if let model = decimalModel(values, count: count, dates: dates) {
      write(model, values, count: count, into: &writer)
      return exceptions.isEmpty ? model : nil
    }
    var plain = ByteWriter()
    writeRaw(values, count: count, into: &plain)
    if let binary = binaryModel(values, count: count) {
      var attempt = ByteWriter()
      write(binary, values, count: count, into: &attempt)
      if attempt.count < plain.count {
        writer.append(attempt.bytes)
        return binary
      }
    }
    writer.append(plain.bytes)
    return nil
  }

  /// Returns the decimal model that fits all but a few values, with `scaled` and `exceptions`
  /// filled.
  ///
  /// Returns nil if there is none.
  func decimalModel(
    _ values: UnsafePointer<Double>, count: Int, dates: Bool
  ) -> DoubleModel? {
    let candidates = DoubleEncoder.candidates(dates: dates)
    var model = bestModel(of: candidates, values, Array(sample(count)))
    var missed = scale(values, count: count, model)
    if missed > 0 {
      // The sample missed some values; a finer model may fit them as well.
      let rest = exceptions.prefix(32).map(Int.init)
      let finer = bestModel(of: candidates, values, Array(sample(count)) + rest)
      if finer != model {
        let missedThen = scale(values, count: count, finer)
        if missedThen < missed {
          (model, missed) = (finer, missedThen)
        } else {
          missed = scale(values, count: count, model)
        }
      }
    }
    return missed <= count / 16 ? model : nil
  }

  private static func candidates(dates: Bool) -> [DoubleModel] {
    dates ? dateModels : valueModels
  }

  private static let valueModels = (0...DoubleCodec.maximumDecimalExponent).map {
    DoubleModel(kind: DoubleCodec.decimal, exponent: $0)
  }

  private static let dateModels =
    [DoubleModel(kind: DoubleCodec.decimal, exponent: 0)]
    + [3, 6].map { DoubleModel(kind: DoubleCodec.epochDecimal, exponent: $0) }
    + valueModels.dropFirst()
    + [1, 2, 4, 5].map { DoubleModel(kind: DoubleCodec.epochDecimal, exponent: $0) }

  private func sample(_ count: Int) -> some Sequence<Int> {
    let taken = min(32, count)
    return (0..<taken).lazy.map { $0 * count / taken }
  }

  private func bestModel(
    of candidates: [DoubleModel], _ values: UnsafePointer<Double>, _ rows: [Int]
  ) -> DoubleModel {
    var best = candidates[0]
    var fewest = Int.max
    for model in candidates where fewest > 0 {
      let scale = DoubleCodec.powerOfTen(model.exponent)
      var missed = 0
      for row in rows
      where DoubleModel.integer(values[row], scale: scale, shift: model.shift) == nil {
        missed += 1
      }
      if missed < fewest { (best, fewest) = (model, missed) }
    }
    return best
  }

  /// Fills `scaled` and `exceptions`.
  ///
  /// Returns the number of exceptions.
  private func scale(_ values: UnsafePointer<Double>, count: Int, _ model: DoubleModel) -> Int {
    exceptions.removeAll(keepingCapacity: true)
    if model.kind == DoubleCodec.binary {
      let factor = Double(sign: .plus, exponent: model.exponent, significand: 1)
      for index in 0..<count {
        let value = values[index]
        let product = value * factor
        let fits = abs(product) < 0x1p62 && product.rounded() == product
        scaled[index] = fits ? Int64(product) : 0
        if !fits || (Double(scaled[index]) / factor).bitPattern != value.bitPattern {
          exceptions.append(UInt16(truncatingIfNeeded: index))
        }
      }
      return exceptions.count
    }
    let scale = DoubleCodec.powerOfTen(model.exponent)
    let shift = model.shift
    var previous: Int64 = 0
    for index in 0..<count {
      if let integer = DoubleModel.integer(values[index], scale: scale, shift: shift) {
        previous = integer
      } else {
        exceptions.append(UInt16(truncatingIfNeeded: index))
      }
      scaled[index] = previous
    }
    return exceptions.count
  }

  /// Returns the model of the coarsest binary fraction that divides all values, with `scaled`
  /// filled.
  func binaryModel(_ values: UnsafePointer<Double>, count: Int) -> DoubleModel? {
    guard let exponent = Self.binaryExponent(values, count: count) else { return nil }
    let factor = Double(sign: .plus, exponent: exponent, significand: 1)
    exceptions.removeAll(keepingCapacity: true)
    for index in 0..<count {
      // The product is exact and integral.
      let product = values[index] * factor
      guard abs(product) < 0x1p62 else { return nil }
      scaled[index] = Int64(product)
    }
    return DoubleModel(kind: DoubleCodec.binary, exponent: exponent)
  }

  /// Returns the smallest exponent e such that all values are multiples of 2^-e, or nil if it
  /// exceeds the limit.
  static func binaryExponent(_ values: UnsafePointer<Double>, count: Int) -> Int? {
    var exponent = 0
    for index in 0..<count {
      let bits = values[index].bitPattern
      if bits == 0 { continue }
      let biased = Int(bits >> 52 & 0x7FF)
      guard biased != 0, biased != 0x7FF else { return nil }
      let significand = bits & 0xF_FFFF_FFFF_FFFF | 0x10_0000_0000_0000
      exponent = max(exponent, 1075 - biased - significand.trailingZeroBitCount)
      if exponent > DoubleCodec.maximumBinaryExponent { return nil }
    }
    return exponent
  }

  private func write(
    _ model: DoubleModel, _ values: UnsafePointer<Double>, count: Int,
    into writer: inout ByteWriter
  ) {
    writeHead(model, values, into: &writer)
    integers.encode(scaled, count: count, into: &writer)
  }

  /// Writes the model and the exceptions.
  func writeHead(
    _ model: DoubleModel, _ values: UnsafePointer<Double>, into writer: inout ByteWriter
  ) {
    writer.byte(model.kind)
    writer.byte(UInt8(model.exponent))
    writer.varint(UInt64(exceptions.count))
    for position in exceptions { writer.fixed(position) }
    for position in exceptions { writer.fixed(values[Int(position)].bitPattern) }
  }

  func writeRaw(
    _ values: UnsafePointer<Double>, count: Int, into writer: inout ByteWriter
  ) {
    let bytes = UnsafeRawBufferPointer(start: values, count: count * 8)
    let shuffled = [UInt8](unsafeUninitializedCapacity: count * 8) { buffer, initialized in
      for plane in 0..<8 {
        for row in 0..<count { buffer[plane * count + row] = bytes[row * 8 + plane] }
      }
      initialized = count * 8
    }
    let small = shuffled.withUnsafeBytes {
      Compression.compress($0, limit: bytes.count - bytes.count / 8)
    }
    writer.byte(small == nil ? DoubleCodec.raw : DoubleCodec.planes)
    writer.varint(UInt64(count))
    if let small { writer.append(small) } else { writer.append(bytes) }
  }
}
