import Foundation
import SampleLog

/// A subject's settings: values other than samples, each under a separate key.
///
/// A key consists of `person/`, the subject (length-prefixed) and a name, so that all settings of
/// a subject share a prefix.
struct SubjectSettings {
  private let database: Database
  private let prefix: [UInt8]

  init(_ store: OpenStore, subject: String) throws {
    if store.isClosed { throw StoreError.closed }
    database = store.database
    prefix = SubjectSetting.profile.prefix(Array(subject.utf8))
  }

  /// Returns the integer setting with the given name, or `nil` if it is not set.
  ///
  /// - Throws: `errorDatabaseInaccessible` if the value is malformed, such as that of a later
  ///   version.
  func number(_ name: String) throws -> Int? {
    guard let bytes = try bytes(name) else { return nil }
    let number = bytes.withUnsafeBytes { buffer -> Int? in
      var reader = ByteReader(buffer)
      guard reader.byte() == Self.version, let bits = reader.fixed64(), reader.isAtEnd else {
        return nil
      }
      return Int(Int64(bitPattern: bits))
    }
    guard let number else { throw Self.unreadable(name) }
    return number
  }

  /// Returns a characteristic, or `nil` if it is not set or reading it is denied.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` if reading it has not been requested, and the
  ///   errors of ``number(_:)``.
  func number(
    _ characteristic: HKCharacteristicTypeIdentifier, _ policy: AuthorizationPolicy?
  ) throws -> Int? {
    if let policy, try !policy.mayRead(HKCharacteristicType(characteristic)) { return nil }
    return try number(characteristic.rawValue)
  }

  /// Returns the text setting with the given name, or `nil` if it is not set.
  ///
  /// - Throws: `errorDatabaseInaccessible` if the value is malformed, such as that of a later
  ///   version.
  func text(_ name: String) throws -> String? {
    guard let bytes = try bytes(name) else { return nil }
    guard bytes.first == Self.version,
      let text = String(validating: bytes.dropFirst(), as: UTF8.self)
    else { throw Self.unreadable(name) }
    return text
  }

  /// Sets integer settings atomically and durably; `nil` removes a setting.
  func set(_ numbers: [(name: String, number: Int?)]) throws {
    try database.set(
      numbers.map { name, number in
        guard let number else { return (key(name), []) }
        var writer = ByteWriter()
        writer.byte(Self.version)
        writer.fixed(UInt64(bitPattern: Int64(number)))
        return (key(name), writer.bytes)
      })
  }

  /// Sets a text setting durably; `nil` removes it.
  func set(_ name: String, _ text: String?) throws {
    try database.set([(key(name), text.map { [Self.version] + Array($0.utf8) } ?? [])])
  }

  private static let version: UInt8 = 1

  private func key(_ name: String) -> [UInt8] { prefix + Array(name.utf8) }

  private func bytes(_ name: String) throws -> [UInt8]? { try database.setting(key(name)) }

  static func unreadable(_ name: String) -> HKError {
    HKError.make(
      .errorDatabaseInaccessible,
      "The store's \(name) makes no sense to this version; set it again or use a later version.")
  }
}
