extension TidyRule {
  private static let platforms: Set<String> = [
    "Android", "Bionic", "CPlatform", "CRT", "Darwin", "Glibc", "Musl", "WASILibc", "WinSDK",
    "ucrt",
  ]

  /// The targets that each target may import: imports point down only.
  private static let layers: [String: Set<String>] = [
    "CLZ4": [],
    "CPlatform": [],
    "SampleLog": ["CLZ4", "CPlatform"],
    "SampleLogReplication": ["SampleLog"],
    "CNATS": [],
    "SampleLogNATS": ["CNATS", "SampleLog", "SampleLogReplication"],
    "CoreLocation": [],
    "UniformTypeIdentifiers": [],
    "HealthStore": ["SampleLog", "CoreLocation", "UniformTypeIdentifiers"],
    "CDoor": [],
    "HealthStoreDoor": ["CDoor", "HealthStore", "SampleLog"],
    "HealthCluster": ["HealthStore", "SampleLogReplication", "SampleLog"],
    "HealthKit": ["HealthStore"],
    "HealthKitTesting": ["HealthKit"],
    "AppleHealthExport": ["HealthStore", "SampleLog", "CoreLocation", "UniformTypeIdentifiers"],
    "HealthTransfer": ["HealthKit", "CoreLocation"],
    "HealthTransferServer": ["HealthTransfer", "HealthStore", "SampleLog"],
    "HealthStoreTool": [
      "HealthStore", "AppleHealthExport", "HealthCluster", "SampleLog", "SampleLogNATS",
      "SampleLogReplication",
    ],
  ]

  /// Modules in Tests that belong to no product.
  private static let development: Set<String> = ["SampleLogSimulation"]

  /// Platform modules are imported in one folder only.
  static let platformImports = TidyRule(name: "platform imports") { file in
    guard !file.path.hasPrefix("Sources/SampleLog/Platform/") else { return [] }
    return imports(of: file).filter { platforms.contains($0.module) }.map {
      Finding(file, line: $0.line, "\($0.module) belongs into Sources/SampleLog/Platform")
    }
  }

  /// The engine imports FoundationEssentials only.
  static let foundationImports = TidyRule(name: "Foundation imports") { file in
    guard file.path.hasPrefix("Sources/SampleLog/") else { return [] }
    return imports(of: file).filter {
      $0.module.hasPrefix("Foundation") && $0.module != "FoundationEssentials"
    }.map { Finding(file, line: $0.line, "SampleLog imports \($0.module)") }
  }

  /// A target imports lower targets only.
  static let importDirection = TidyRule(name: "import direction") { file in
    guard file.isSwift, file.components.count > 2, file.components[0] == "Sources" else {
      return []
    }
    let target = String(file.components[1])
    guard let allowed = layers[target] else {
      return [Finding(file, "\(target) has no place in the order of imports")]
    }
    return imports(of: file).filter {
      (layers[$0.module] != nil || development.contains($0.module)) && !allowed.contains($0.module)
    }.map { Finding(file, line: $0.line, "\(target) imports \($0.module)") }
  }

  /// Returns the modules that a Swift file imports, in whole or in part.
  static func imports(of file: SourceFile) -> [(module: String, line: Int)] {
    guard file.isSwift else { return [] }
    let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    let kinds: Set<Substring> = [
      "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]
    return file.lines.enumerated().compactMap { index, line in
      guard line.contains("import ") else { return nil }
      let words = line.split(separator: " ").drop { $0.hasPrefix("@") || access.contains($0) }
      guard words.first == "import" else { return nil }
      let name = words.dropFirst().drop { kinds.contains($0) }.first
      let module = name?.split { $0 == "." || $0 == ";" }.first
      return module.map { (String($0), index + 1) }
    }
  }
}
