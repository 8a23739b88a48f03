/// The properties of a known type.
struct KnownType: Sendable {
  let identifier: String
  /// The identifiers of its direct supertypes.
  let parents: [String]
  /// The file name extensions; the preferred one is first.
  let extensions: [String]
  /// The MIME types; the preferred one is first.
  let mimeTypes: [String]

  private init(
    _ identifier: String, _ parents: [String], _ extensions: [String] = [],
    _ mimeTypes: [String] = []
  ) {
    self.identifier = identifier
    self.parents = parents
    self.extensions = extensions
    self.mimeTypes = mimeTypes
  }

  static let byIdentifier = Dictionary(
    uniqueKeysWithValues: all.map { ($0.identifier.lowercased(), $0) })

  static let all = [
    KnownType("public.item", []),
    KnownType("public.content", []),
    KnownType("public.composite-content", ["public.content"]),
    KnownType("public.data", ["public.item"]),
    KnownType("public.text", ["public.data", "public.content"]),
    KnownType("public.plain-text", ["public.text"], ["txt", "text"], ["text/plain"]),
    KnownType("public.utf8-plain-text", ["public.plain-text"]),
    KnownType("public.rtf", ["public.text"], ["rtf"], ["text/rtf", "application/rtf"]),
    KnownType("public.html", ["public.text"], ["html", "htm"], ["text/html"]),
    KnownType("public.xml", ["public.text"], ["xml"], ["application/xml", "text/xml"]),
    KnownType("public.json", ["public.text"], ["json"], ["application/json"]),
    KnownType(
      "public.delimited-values-text", ["public.text"]),
    KnownType(
      "public.comma-separated-values-text", ["public.delimited-values-text"], ["csv"],
      ["text/csv"]),
    KnownType(
      "com.adobe.pdf", ["public.data", "public.composite-content"], ["pdf"],
      ["application/pdf"]),
    KnownType("public.image", ["public.data", "public.content"]),
    KnownType("public.jpeg", ["public.image"], ["jpeg", "jpg", "jpe"], ["image/jpeg"]),
    KnownType("public.png", ["public.image"], ["png"], ["image/png"]),
    KnownType("public.tiff", ["public.image"], ["tiff", "tif"], ["image/tiff"]),
    KnownType("com.compuserve.gif", ["public.image"], ["gif"], ["image/gif"]),
    KnownType("com.microsoft.bmp", ["public.image"], ["bmp"], ["image/bmp"]),
    KnownType("org.webmproject.webp", ["public.image"], ["webp"], ["image/webp"]),
    KnownType("public.heif-standard", ["public.image"]),
    KnownType("public.heic", ["public.heif-standard"], ["heic"], ["image/heic"]),
    KnownType("public.heif", ["public.heif-standard"], ["heif"], ["image/heif"]),
    KnownType("public.svg-image", ["public.image", "public.xml"], ["svg"], ["image/svg+xml"]),
    KnownType("public.archive", ["public.data"]),
    KnownType("public.zip-archive", ["public.archive"], ["zip"], ["application/zip"]),
    KnownType("public.audiovisual-content", ["public.data", "public.content"]),
    KnownType("public.audio", ["public.audiovisual-content"]),
    KnownType("public.mp3", ["public.audio"], ["mp3"], ["audio/mpeg"]),
    KnownType("public.movie", ["public.audiovisual-content"]),
    KnownType("public.mpeg-4", ["public.movie"], ["mp4"], ["video/mp4"]),
    KnownType("com.apple.quicktime-movie", ["public.movie"], ["mov", "qt"], ["video/quicktime"]),
  ]
}
