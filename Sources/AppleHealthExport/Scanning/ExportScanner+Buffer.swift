// Buffered input of the scanner.
extension ExportScanner {
  /// Reads more input into the buffer; returns false at the end of the input.
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

  /// Doubles the number of bytes buffered from `head`; returns false if the input ended before any
  /// arrived.
  ///
  /// An incomplete tag is scanned again from its start. Doubling between scans keeps the cost
  /// linear in the length of the tag.
  mutating func fillForTag() throws(ExportError) -> Bool {
    let before = tail - head
    repeat {
      if try !fill() { return tail - head > before }
    } while tail - head < before * 2
    return true
  }

  /// Buffers at least `count` bytes from `head`; returns false if the input ends first.
  mutating func ensure(_ count: Int) throws(ExportError) -> Bool {
    while tail - head < count {
      if try !fill() { return false }
    }
    return true
  }

  /// Moves `head` past the next occurrence of `pattern`; returns false if the input ends first.
  ///
  /// Memory use does not depend on the distance. The last byte of the pattern must be `>`.
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

  /// Moves `head` past the current tag, in bounded memory.
  ///
  /// A `<`, which cannot occur in an attribute value, ends a tag that was not closed.
  ///
  /// - Parameter quote: The quote that ends the attribute value at `head`, or 0 outside of a value.
  /// - Returns: Whether the tag is self-closing, or nil if the input ends inside the tag.
  /// - Throws: ``ExportError`` if reading fails.
  mutating func skipTag(in quote: UInt8) throws(ExportError) -> Bool? {
    var quote = quote
    var last: UInt8 = 0
    repeat {
      while head < tail {
        let byte = buffer[head]
        if byte == UInt8(ascii: "<") { return false }
        head += 1
        if quote != 0 {
          if byte == quote { quote = 0 }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return last == UInt8(ascii: "/")
        }
        last = byte
      }
    } while try fill()
    return nil
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
  /// Reads to the end of the input; returns the number of bytes other than white space, and the
  /// offset of the first.
  ///
  /// The checksum of an archive entry is verified only if the entry is read to its end.
  mutating func drain() throws(ExportError) -> (count: Int64, first: Int64?) {
    var count: Int64 = 0
    var first: Int64?
    repeat {
      for at in head..<tail where !buffer[at].isXMLSpace {
        count += 1
        first = first ?? base + Int64(at)
      }
      head = tail
    } while try fill()
    return (count, first)
  }
}
