extension DoubleEncoder {
  /// Encodes a column of at least one steadily changing number, which ``DeltaColumn`` decodes.
  ///
  /// `previous` is the column that precedes this one, with the same count.
  package func encodeDeltas(
    _ values: UnsafePointer<Double>, after previous: UnsafePointer<Double>?, count: Int,
    areDates: Bool, into writer: inout ByteWriter
  ) {
    precondition(count > 0 && count <= capacity)
    let first = values[0].bitPattern
    if (1..<max(1, count)).allSatisfy({ values[$0].bitPattern == first }) {
      writer.byte(DeltaCodec.constant)
      writer.fixed(first)
      return
    }
    if let previous,
      (0..<count).allSatisfy({ values[$0].bitPattern == previous[$0].bitPattern })
    {
      writer.byte(DeltaCodec.same)
      return
    }
    if mayBeDecimal(values, count: count, areDates: areDates),
      let model = decimalModel(values, count: count, dates: areDates),
      !isCoarserAsBinary(model, values, count: count)
    {
      writeDeltas(model, values, count: count, into: &writer)
      return
    }
    var attempt = ByteWriter()
    if let model = binaryModel(values, count: count) {
      writeDeltas(model, values, count: count, into: &attempt)
      // Byte planes are rarely smaller, and trying them takes time.
      if attempt.count < count * 6 {
        writer.append(attempt.bytes)
        return
      }
    }
    var plain = ByteWriter()
    writeRaw(values, count: count, into: &plain)
    if attempt.count > 0, attempt.count <= plain.count {
      writer.append(attempt.bytes)
    } else {
      writer.byte(DeltaCodec.doubles)
      writer.append(plain.bytes)
    }
  }

  /// Returns whether any of a few samples has few decimals; if none has, testing all numbers is
  /// futile.
  private func mayBeDecimal(
    _ values: UnsafePointer<Double>, count: Int, areDates: Bool
  ) -> Bool {
    let scale = DoubleCodec.powerOfTen(DoubleCodec.maximumDecimalExponent)
    return stride(from: 0, to: count, by: max(1, count / 16)).contains {
      DoubleModel.integer(values[$0], scale: scale, shift: 0) != nil
        || areDates
          && DoubleModel.integer(values[$0], scale: scale, shift: DoubleCodec.epoch) != nil
    }
  }

  /// Returns whether a binary model yields smaller integers than the decimal model.
  ///
  /// Eighths are also thousandths, but with integers 125 times as large.
  private func isCoarserAsBinary(
    _ model: DoubleModel, _ values: UnsafePointer<Double>, count: Int
  ) -> Bool {
    guard model.exponent > 0, let exponent = Self.binaryExponent(values, count: count) else {
      return false
    }
    return Double(1 << exponent) < DoubleCodec.powerOfTen(model.exponent)
  }

  private func writeDeltas(
    _ model: DoubleModel, _ values: UnsafePointer<Double>, count: Int,
    into writer: inout ByteWriter
  ) {
    let order = DeltaCodec.differenceBest(scaled, count: count)
    writer.byte(DeltaCodec.deltas)
    writer.byte(UInt8(order))
    for index in 0..<order { writer.varint(IntegerCodec.zigzag(scaled[index])) }
    writeHead(model, values, into: &writer)
    integers.encode(scaled + order, count: count - order, into: &writer)
  }
}
