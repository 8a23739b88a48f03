import HealthStore

/// Shell completion scripts, generated from the same declarations as `--help`.
enum Completion: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script, to be evaluated when the shell starts.
  var script: String {
    let lines =
      switch self {
      case .bash: Self.bashLines
      case .zsh: Self.zshLines
      case .fish: Self.fishLines
      }
    return lines.joined(separator: "\n") + "\n"
  }

  private static var usages: [CommandUsage] { Tool.commands.map { $0.usage } }

  private static let types = HKSampleType.all.map(\.shortName).joined(separator: " ")

  /// The kind of value that an option takes.
  private enum Value {
    case words(String)
    case files
    case anything
  }

  private static func value(_ option: CommandUsage.Option) -> Value? {
    guard let name = option.value else { return nil }
    if !option.choices.isEmpty { return .words(option.choices.joined(separator: " ")) }
    return switch name {
    case "TYPE": .words(types)
    case "DIR", "PATH": .files
    default: .anything
    }
  }

  private static var bashLines: [String] {
    let names = usages.map(\.name).joined(separator: " ")
    var lines = [
      "_healthstore() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=",
      "  local types='\(types)'",
      "  COMPREPLY=()",
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
      "    COMPREPLY=($(compgen -W '\(names) --help --version' -- \"$word\"))",
      "    return",
      "  fi",
      "  case \"${COMP_WORDS[1]} $before\" in",
    ]
    for usage in usages {
      for option in usage.options {
        let name = "    '\(usage.name) \(option.name)')"
        switch value(option) {
        case .words(let words)?:
          let list = option.value == "TYPE" ? "\"$types\"" : "'\(words)'"
          lines.append("\(name) COMPREPLY=($(compgen -W \(list) -- \"$word\")); return ;;")
        case .files?: lines.append("\(name) COMPREPLY=($(compgen -f -- \"$word\")); return ;;")
        case .anything?: lines.append("\(name) return ;;")
        case nil: break
        }
      }
    }
    lines += ["  esac", "  case \"${COMP_WORDS[1]}\" in"]
    for usage in usages {
      let options = (usage.options.map(\.name) + ["--help"]).joined(separator: " ")
      lines.append("    \(usage.name)) words='\(options)' ;;")
    }
    return lines + [
      "  esac",
      "  case \"$word\" in",
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;",
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;",
      "  esac",
      "}",
      "complete -o filenames -F _healthstore healthstore",
    ]
  }

  private static var zshLines: [String] {
    var lines = [
      "#compdef healthstore",
      "_healthstore() {",
      "  local types='\(types)'",
      "  local -a commands",
      "  commands=(",
    ]
    lines += usages.map { "    \(quoted("\($0.name):\($0.summary.zshText)"))" }
    lines += [
      "  )",
      "  if (( CURRENT == 2 )); then",
      "    _describe command commands",
      "    return",
      "  fi",
      "  shift words",
      "  (( CURRENT-- ))",
      "  case $words[1] in",
    ]
    for usage in usages {
      lines.append("    \(usage.name)) _arguments \\")
      for option in usage.options {
        let star = option.isRepeatable ? "*" : ""
        let front = "\(star)\(option.name)[\(option.help.zshText)]"
        let back =
          switch value(option) {
          case .words(let words)?: ":\(option.value ?? ""):(\(words))"
          case .files?: ":\(option.value ?? ""):_files"
          case .anything?: ":\(option.value ?? ""): "
          case nil: ""
          }
        lines.append("      \(quoted(front + back)) \\")
      }
      lines.append("      '*:file:_files' ;;")
    }
    return lines + ["  esac", "}", "compdef _healthstore healthstore"]
  }

  private static var fishLines: [String] {
    var lines = usages.map {
      "complete -c healthstore -n __fish_use_subcommand -a \($0.name) -d \(quoted($0.summary))"
    }
    for usage in usages {
      let front = "complete -c healthstore -n '__fish_seen_subcommand_from \(usage.name)'"
      for option in usage.options {
        let back =
          switch value(option) {
          case .words(let words)?: " -x -a \(quoted(words))"
          case .files?: " -r -F"
          case .anything?: " -x"
          case nil: ""
          }
        lines.append(
          "\(front) -l \(option.name.dropFirst(2))\(back) -d \(quoted(option.help))")
      }
    }
    return lines
  }

  /// Returns a text in single quotes of a shell.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}

extension String {
  /// The text with the delimiters of zsh's argument specifications escaped.
  fileprivate var zshText: String {
    replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
  }
}
