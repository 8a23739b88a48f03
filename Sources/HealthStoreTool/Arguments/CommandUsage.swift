/// The arguments and options of a command, and the text of its help.
struct CommandUsage {
  /// An option with a value, or a flag.
  struct Option {
    /// The name, with its leading dashes.
    var name: String
    /// The placeholder of the value in the help, or nil for a flag.
    var value: String?
    var help: String
    var isRequired = false
    var isRepeatable = false
    /// The permitted values; empty if the values are not enumerated.
    var choices: [String] = []
  }

  struct Argument {
    var name: String
    var help: String
    var isOptional = false
  }

  /// The use that a command makes of its store; decides whether the environment may name it.
  enum StoreUse {
    /// The command reads the store or adds to it.
    case using
    /// The command removes data, so the store must be named explicitly.
    case destroying
    /// The command creates the store.
    case making
  }

  var name: String
  var summary: String
  var arguments: [Argument] = []
  /// The options, beginning with `--store` if the command uses a store.
  let options: [Option]
  let storeUse: StoreUse?
  /// The option that may take the place of `--store`, or nil if there is none.
  let storeAlternative: String?
  var notes: [String] = []

  init(
    name: String, summary: String, store: StoreUse? = nil, storeAlternative: String? = nil,
    arguments: [Argument] = [], options: [Option] = [], notes: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.notes = notes
    storeUse = store
    self.storeAlternative = storeAlternative
    guard let store else {
      self.options = options
      return
    }
    let standard = "; default: the value of \(ParsedArguments.standardStore)"
    let alone = arguments.isEmpty ? "; DIR alone means the same" : ""
    let help =
      switch store {
      case .using: "The store's directory\(alone)\(standard)."
      case .destroying: "The store's directory\(alone); no other program may write to it."
      case .making: "The new store's directory, which does not exist or is empty\(standard)."
      }
    self.options = [Option(name: "--store", value: "DIR", help: help)] + options
  }

  /// Returns whether the arguments before `--` ask for help.
  func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// The usage line of the help.
  var synopsis: String {
    var words = ["healthstore", name] + arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    for option in options {
      let text = option.value.map { "\(option.name) \($0)" } ?? option.name
      let more = option.isRepeatable ? "..." : ""
      words.append(option.isRequired ? text + more : "[\(text)]" + more)
    }
    return words.joined(separator: " ")
  }

  /// The arguments and options with their descriptions.
  var entries: [(name: String, help: String)] {
    arguments.map { ($0.name, $0.help) }
      + options.map { ($0.name + ($0.value.map { " \($0)" } ?? ""), $0.help) }
      + [("--help", "Prints this help.")]
  }

  var help: String {
    let entries = entries
    let width = entries.map(\.name.count).max() ?? 0
    var lines = Self.wrapped("Usage: " + synopsis, indent: 7)
    lines += ["", summary, ""]
    for (name, help) in entries {
      lines += Self.wrapped("  \(name.padded(to: width))  \(help)", indent: width + 4)
    }
    if !notes.isEmpty { lines.append("") }
    for note in notes { lines += Self.wrapped(note, indent: 0) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Wraps text to lines of at most 80 columns, and indents all but the first.
  private static func wrapped(_ text: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    // Leading spaces of the text are the indentation of the first line.
    let start = text.prefix { $0 == " " }
    for word in text.dropFirst(start.count).split(separator: " ", omittingEmptySubsequences: false)
    {
      if line.isEmpty, lines.isEmpty {
        line = String(start + word)
      } else if line.count + word.count + 1 > 80 {
        lines.append(line)
        line = String(repeating: " ", count: indent) + word
      } else {
        line += " " + word
      }
    }
    return lines + [line]
  }
}

extension String {
  /// Returns the text padded to a width with trailing spaces.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Returns the text padded to a width with leading spaces.
  func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
