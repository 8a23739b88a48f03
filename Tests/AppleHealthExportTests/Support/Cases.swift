import AppleHealthExport
import Foundation
import HealthStore
import Testing

/// Exports in `Tests/Fixtures/exports` that earlier versions read incorrectly.
enum Cases {
  static func path(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/exports/" + name).path
  }

  static func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }
}

extension HKHealthStore {
  /// Imports a document.
  @discardableResult
  func importing(_ text: String) throws -> ImportSummary {
    try ExportImporter(into: self).run(ExportReader(MemoryInput(text)))
  }

  /// Imports a file or a folder.
  @discardableResult
  func importing(path: String) throws -> ImportSummary {
    let (document, files) = try ExportSource.contents(of: path)
    return try ExportImporter(into: self).run(ExportReader(document), files: files)
  }

  func quantities(_ type: HKQuantityTypeIdentifier) async throws -> [HKQuantitySample] {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(type))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: self)
  }

  func categories(_ type: HKCategoryTypeIdentifier) async throws -> [HKCategorySample] {
    try await HKSampleQueryDescriptor(
      predicates: [.categorySample(type: HKCategoryType(type))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: self)
  }

  func workouts() async throws -> [HKWorkout] {
    try await HKSampleQueryDescriptor(
      predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: self)
  }
}
