extension CrashState {
  /// Calls a function with each image that a crash immediately after an operation may leave, or
  /// with random samples if there are too many.
  ///
  /// The file that the operation changed is torn in every way. For other files and unsynced names a
  /// few cases are sampled, because each was torn when it was changed.
  package func images(
    after operation: DiskOperation, step: Int, _ random: inout Seeded,
    _ body: (DiskImage) throws -> Void
  ) rethrows {
    let (touched, isName) = Self.subject(of: operation)
    let sets = nameSets(isThorough: isName, &random)
    var contents: [[Content]?] = Array(repeating: nil, count: files.count)
    for names in sets {
      let sorted = names.sorted { $0.key < $1.key }
      for (name, file) in sorted where contents[file] == nil {
        let isThorough = touched == file && !name.hasSuffix(".tmp")
        contents[file] = self.contents(file, isThorough: isThorough, step: step, &random)
      }
      try combine(sorted, contents, &random, body)
    }
  }

  private static func subject(of operation: DiskOperation) -> (file: Int?, isName: Bool) {
    switch operation {
    case .write(let file, _, _), .truncate(let file, _), .loseTrack(let file),
      .fallBack(let file, _), .sync(let file), .preallocate(let file, _):
      (file, false)
    case .create, .link, .rename, .remove, .syncDirectory: (nil, true)
    case .lock: (nil, false)
    }
  }

  /// Combines contents exhaustively if there are few; otherwise varies one file at a time.
  private func combine(
    _ names: [(key: String, value: Int)], _ contents: [[Content]?], _ random: inout Seeded,
    _ body: (DiskImage) throws -> Void
  ) rethrows {
    func content(_ file: Int) -> [Content] { contents[file] ?? [] }
    let choices = names.map { content($0.value).count }
    let product = choices.reduce(1) { min($0 * max($1, 1), 1 << 20) }
    func emit(_ pick: (Int) -> Int) throws {
      var image = DiskImage()
      for (position, name) in names.enumerated() {
        let options = content(name.value)
        let one = options[min(pick(position), options.count - 1)]
        image.add(name.key, one.bytes, hash: one.hash)
        let ghost = files[name.value].ghost
        if ghost.count > one.bytes.count { image.ghosts[name.key] = ghost }
      }
      try body(image)
    }
    if product <= 256 {
      for number in 0..<product {
        var rest = number
        let picks = choices.map { count -> Int in
          defer { rest /= max(count, 1) }
          return rest % max(count, 1)
        }
        try emit { picks[$0] }
      }
      return
    }
    for (position, count) in choices.enumerated() where count > 1 {
      for choice in 0..<count {
        // Other files have their visible contents, which come second, or random contents.
        let others = random.next()
        let isRandom = random.oneIn(2)
        try emit { other in
          if other == position { return choice }
          return isRandom
            ? Int(others >> UInt64(other & 31) & 0xFF) % max(choices[other], 1)
            : min(1, choices[other] - 1)
        }
      }
    }
  }

  /// Returns the possible directory contents: any subset of the changes since the last sync.
  private func nameSets(isThorough: Bool, _ random: inout Seeded) -> [[String: Int]] {
    let count = nameChanges.count
    if count == 0 { return [names] }
    var choices: [UInt64] = [0, .max]
    if isThorough, count <= 3 {
      choices = (0..<UInt64(1) << UInt64(count)).map { $0 }
    } else if isThorough {
      for position in 0..<min(count, 16) {
        choices += [UInt64(1) << UInt64(position), ~(UInt64(1) << UInt64(position))]
        choices.append((UInt64(1) << UInt64(position)) - 1)
      }
      for _ in 0..<4 { choices.append(random.next()) }
    } else {
      choices.append(random.next())
    }
    var result: [[String: Int]] = []
    for bits in choices {
      var set = names
      for (position, change) in nameChanges.enumerated()
      where bits >> UInt64(position & 63) & 1 == 1 {
        Self.apply(change, to: &set)
      }
      if !result.contains(set) { result.append(set) }
    }
    return result
  }
}
