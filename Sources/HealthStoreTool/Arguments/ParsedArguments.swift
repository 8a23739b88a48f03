import Foundation

/// Arguments sorted into places, options and flags, each as its command declares it.
struct ParsedArguments {
  let positional: [String]
  private let values: [String: [String]]
  private let command: String

  /// Sorts the arguments of a command.
  ///
  /// Of a command with a store and no arguments of its own, one argument is the store's directory.
  /// `--name value` and `--name=value` mean the same; `-` is an argument, and so is everything
  /// after `--`.
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
        // A value that looks like an option can be attached with `=`.
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
    // A directory alone needs no option that says what it is.
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
    // Every argument is a path, and none is that of anything when it is empty.
    for (argument, value) in zip(usage.arguments, positional) where value.isEmpty {
      throw Self.error("The argument \(argument.name) is empty", usage.name)
    }
    for option in usage.options where option.isRequired && values[option.name] == nil {
      throw Self.error(
        "The option \(option.name) \(option.value ?? "") is missing", usage.name)
    }
    if let use = usage.storeUse, values["--store"] == nil {
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

  /// The variable of the environment that names the store of commands that destroy nothing.
  static let standardStore = "HEALTHSTORE_PATH"

  /// The directory of the store, of a command that has one.
  func store() throws(UsageError) -> String { try required("--store") }

  /// Whether an option was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// An option's value.
  subscript(_ name: String) -> String? { values[name]?.first }

  /// The values of an option that may be repeated.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option that must be there, which parsing has made sure of.
  func required(_ name: String) throws(UsageError) -> String {
    guard let value = self[name] else { throw error("The option \(name) is missing") }
    if name == "--store", value.isEmpty { throw error("The value of the option \(name) is empty") }
    return value
  }

  /// A whole number from 1 on.
  func count(_ name: String) throws(UsageError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let value = Int(text), value > 0 else {
      throw error("The option \(name) needs a whole number from 1 on, not \(text)")
    }
    return value
  }

  /// A point in time; see ``TimeArgument``.
  func time(_ name: String, in zone: ZoneCalendar? = nil) throws(UsageError) -> Date? {
    guard let text = self[name] else { return nil }
    guard let date = TimeArgument.date(text, in: zone) else {
      throw error(
        "The option \(name) needs a time such as 2024-03-01 or 2024-03-01T08:30:00Z, not \(text)")
    }
    return date
  }

  /// One of several words.
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

  /// An error with the advice to read the command's help.
  func error(_ sentence: String) -> UsageError { Self.error(sentence, command) }

  private static func error(_ sentence: String, _ command: String) -> UsageError {
    UsageError("\(sentence); see `healthstore \(command) --help`.")
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
