import Foundation

/// The arguments of a command, parsed into positional arguments, options and flags.
struct ParsedArguments {
  let positional: [String]
  private let values: [String: [String]]
  private let command: String

  /// Parses the arguments of a command.
  ///
  /// If the command uses a store and declares no positional arguments, a single positional argument
  /// is the store's directory. `--name value` and `--name=value` are equivalent. `-` and everything
  /// after `--` are positional arguments.
  init(_ arguments: [String], _ usage: CommandUsage) throws(UsageError) {
    var positional: [String] = []
    var values: [String: [String]] = [:]
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        positional.append(word)
        continue
      }
      let (name, attached) = Self.split(word)
      guard let option = usage.options.first(where: { $0.name == name }) else {
        let known = usage.options.map(\.name) + ["--help"]
        guard let meant = Suggestion.nearest(name, among: known) else {
          throw Self.error("There is no option \(name)", usage.name)
        }
        throw UsageError(
          "There is no option \(name); did you mean \(meant)? "
            + "See `healthstore \(usage.name) --help`.")
      }
      let value: String
      if let placeholder = option.value {
        // A value that begins with `--` must be attached with `=`.
        guard let found = attached ?? rest.first.flatMap({ $0.hasPrefix("--") ? nil : $0 }) else {
          throw Self.error("The option \(name) needs a value \(placeholder)", usage.name)
        }
        if attached == nil { rest.removeFirst() }
        value = found
      } else {
        guard attached == nil else {
          throw Self.error("The option \(name) takes no value", usage.name)
        }
        value = ""
      }
      if values[name] != nil, !option.isRepeatable {
        throw Self.error("The option \(name) may be given once only", usage.name)
      }
      values[name, default: []].append(value)
    }
    // A single positional argument is the store's directory.
    if usage.storeUse != nil, usage.arguments.isEmpty, positional.count == 1 {
      guard values["--store"] == nil else {
        throw Self.error("The store's directory is given twice", usage.name)
      }
      values["--store"] = [positional.removeFirst()]
    }
    if let missing = usage.arguments.dropFirst(positional.count).first(where: { !$0.isOptional }) {
      throw Self.error("The argument \(missing.name) is missing", usage.name)
    }
    guard positional.count <= usage.arguments.count else {
      throw Self.error(
        "There is one argument too many, \(positional[usage.arguments.count])", usage.name)
    }
    // Every positional argument is a path, and an empty path is never valid.
    for (argument, value) in zip(usage.arguments, positional) where value.isEmpty {
      throw Self.error("The argument \(argument.name) is empty", usage.name)
    }
    for option in usage.options where option.isRequired && values[option.name] == nil {
      throw Self.error(
        "The option \(option.name) \(option.value ?? "") is missing", usage.name)
    }
    let isReplaced = usage.storeAlternative.map { values[$0] != nil } ?? false
    if let use = usage.storeUse, values["--store"] == nil, !isReplaced {
      let standard = ProcessInfo.processInfo.environment[Self.standardStore] ?? ""
      guard use != .destroying, !standard.isEmpty else {
        let advice = use == .destroying ? "" : " and \(Self.standardStore) is not set"
        throw Self.error("The option --store DIR is missing\(advice)", usage.name)
      }
      values["--store"] = [standard]
    }
    self.positional = positional
    self.values = values
    command = usage.name
  }

  /// The environment variable that names the default store of commands that remove no data.
  static let standardStore = "HEALTHSTORE_PATH"

  /// Returns the directory of the command's store.
  func store() throws(UsageError) -> String { try required("--store") }

  /// Returns whether an option was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option, or nil if it was not given.
  subscript(_ name: String) -> String? { values[name]?.first }

  /// Returns the values of a repeatable option.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns the value of a required option, whose presence the initialiser has checked.
  func required(_ name: String) throws(UsageError) -> String {
    guard let value = self[name] else { throw error("The option \(name) is missing") }
    if name == "--store", value.isEmpty { throw error("The value of the option \(name) is empty") }
    return value
  }

  /// Returns an option's value as a whole number of at least 1, or nil if it was not given.
  func count(_ name: String) throws(UsageError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let value = Int(text), value > 0 else {
      throw error("The option \(name) needs a whole number from 1 on, not \(text)")
    }
    return value
  }

  /// Returns an option's value as a point in time, or nil if it was not given; see
  /// ``TimeArgument``.
  func time(_ name: String, in zone: ZoneCalendar? = nil) throws(UsageError) -> Date? {
    guard let text = self[name] else { return nil }
    guard let date = TimeArgument.date(text, in: zone) else {
      throw error(
        "The option \(name) needs a time such as 2024-03-01 or 2024-03-01T08:30:00Z, not \(text)")
    }
    return date
  }

  /// Returns the case that an option names, or the default if it was not given.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, default standard: Choice
  ) throws(UsageError) -> Choice {
    guard let text = self[name] else { return standard }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("The option \(name) needs one of \(words), not \(text)")
    }
    return choice
  }

  /// Returns an error that refers the user to the command's help.
  func error(_ sentence: String) -> UsageError { Self.error(sentence, command) }

  private static func error(_ sentence: String, _ command: String) -> UsageError {
    UsageError("\(sentence); see `healthstore \(command) --help`.")
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
