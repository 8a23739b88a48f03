extension ExportScanner {
  /// Reads once more; false at the end of the input.
  mutating func fill() throws(ExportError) -> Bool {
    if inputEnded { return false }
    // Moving only when half the buffer is used keeps the cost linear for inputs that arrive a
    // few bytes at a time.
    if capacity - tail < (capacity + 1) / 2 {
      if head > 0 {
        buffer.update(from: buffer + head, count: tail - head)
        base += Int64(head)
        tail -= head
        head = 0
      }
      if capacity - tail < (capacity + 1) / 2 { grow() }
    }
    let free = UnsafeMutableRawBufferPointer(start: buffer + tail, count: capacity - tail)
    let count = try input.read(into: free)
    precondition(count >= 0 && count <= free.count, "an input reported bytes it had no room for")
    inputEnded = count == 0
    tail += count
    return count > 0
  }

  /// Doubles what is buffered from `head` on; false when the input ended before anything came.
  ///
  /// A tag that is not complete is scanned again from its start. Doubling in between keeps that
  /// linear in the length of the tag.
  mutating func fillForTag() throws(ExportError) -> Bool {
    let before = tail - head
    if before > ExportLimit.tagBytes.maximum {
      throw .limitExceeded(.tagBytes, offset: offset)
    }
    repeat {
      if try !fill() { return tail - head > before }
    } while tail - head < before * 2
    return true
  }

  /// Makes `count` bytes from `head` on available; false when the input ends before.
  mutating func ensure(_ count: Int) throws(ExportError) -> Bool {
    while tail - head < count {
      if try !fill() { return false }
    }
    return true
  }

  /// Moves `head` behind the next occurrence of `pattern`; false when the input ends before.
  ///
  /// Takes no memory, however far away the pattern is. Its last byte must be `>`.
  mutating func skip(past pattern: StaticString) throws(ExportError) -> Bool {
    let length = pattern.utf8CodeUnitCount
    while true {
      var from = head + length - 1
      while from < tail,
        let found = UnsafeBufferPointer(start: buffer + from, count: tail - from)
          .index(of: UInt8(ascii: ">"))
      {
        let end = from + found + 1
        let window = UnsafeBufferPointer(start: buffer + (end - length), count: length)
        if window.equals(pattern) {
          head = end
          return true
        }
        from = end
      }
      head = max(head, tail - (length - 1))
      if try !fill() {
        head = tail
        return false
      }
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: buffer + head, count: tail - head)
    base += Int64(head)
    tail -= head
    head = 0
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }
}

extension ExportScanner {
  /// Reads to the end of the input and counts what is not white space.
  ///
  /// An archive is checked by its checksum only when it is read to the end.
  mutating func drain() throws(ExportError) -> Int64 {
    var count: Int64 = 0
    repeat {
      for at in head..<tail where !buffer[at].isXMLSpace { count += 1 }
      head = tail
    } while try fill()
    return count
  }
}
