/// Languages with braces, and their kin.
extension CodeLanguage {
    private static func slash(_ language: CodeLanguage) -> CodeLanguage {
        language.comments("//", block: ("/*", "*/"))
    }

    static let swift = CodeLanguage(
        keywords:
            "actor any as associatedtype async await borrowing break case catch class consuming "
            + "continue convenience default defer deinit do dynamic else enum extension fallthrough "
            + "fileprivate final for func get guard if import in indirect infix init inout "
            + "internal is isolated lazy let macro mutating nonisolated nonmutating open operator "
            + "optional override package postfix precedencegroup prefix private protocol public "
            + "repeat required rethrows return self Self sending set some static struct "
            + "subscript super switch throw throws try typealias unowned var weak where while",
        constants: "true false nil"
    )
    .comments("//", block: ("/*", "*/"), nests: true)
    .string("#\"\"\"", "\"\"\"#", multiline: true, raw: true).string("#\"", "\"#", raw: true)
    .strings("\"", multiline: ["\"\"\""])
    .with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x40: .attribute, 0x23: .attribute]
    }

    static let c = CodeLanguage(
        keywords:
            "alignas alignof asm auto break case catch class co_await co_return co_yield concept "
            + "const consteval constexpr const_cast continue decltype default delete do "
            + "dynamic_cast else enum explicit export extern final for friend goto if inline "
            + "mutable namespace new noexcept operator override private protected public register "
            + "reinterpret_cast requires restrict return sizeof static static_assert static_cast "
            + "struct switch template this thread_local throw try typedef typeid typename union "
            + "using virtual volatile while",
        types:
            "bool char char8_t char16_t char32_t double float int int8_t int16_t int32_t int64_t "
            + "intptr_t long ptrdiff_t short signed size_t ssize_t string uint8_t uint16_t "
            + "uint32_t uint64_t uintptr_t unsigned vector void wchar_t FILE id NSString BOOL",
        constants: "true false NULL nullptr nil YES NO"
    )
    .comments("//", block: ("/*", "*/")).string("R\"(", ")\"", multiline: true, raw: true)
    .strings("\"").string("'", "'", character: true)
    .with { $0.sigils = [0x23: .attribute, 0x40: .keyword] }

    static let csharp = slash(
        CodeLanguage(
            keywords:
                "abstract add and as async await base break case catch checked class const "
                + "continue default delegate do else enum event explicit extern finally fixed for "
                + "foreach from get global goto group if implicit in init interface internal is "
                + "join let lock namespace new not operator or orderby out override params partial "
                + "private protected public readonly record ref remove required return sealed "
                + "select set sizeof stackalloc static struct switch this throw try typeof "
                + "unchecked unsafe using var virtual volatile when where while with yield",
            types:
                "bool byte char decimal double dynamic float int long nint nuint object sbyte short "
                + "string uint ulong ushort void",
            constants: "true false null")
    )
    .string("@\"", "\"", multiline: true, raw: true).strings("\"", multiline: ["\"\"\""])
    .string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x23: .attribute]
    }

    static let java = slash(
        CodeLanguage(
            keywords:
                "abstract assert break case catch class continue def default do else enum extends "
                + "final finally for given goto if implements import implicit instanceof interface "
                + "lazy match native new non-sealed object override package permits private "
                + "protected public record return sealed static strictfp super switch synchronized "
                + "then this throw throws trait transient try type val var void volatile while with "
                + "yield",
            types: "boolean byte char double float int long short", constants: "true false null")
    )
    .strings("\"", multiline: ["\"\"\""]).string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x40: .attribute]
    }

    static let kotlin = CodeLanguage(
        keywords:
            "abstract actual annotation as break by catch class companion const constructor "
            + "continue crossinline data do else enum expect external final finally for fun get "
            + "if import in infix init inline inner interface internal is lateinit noinline "
            + "object open operator out override package private protected public reified return "
            + "sealed set super suspend tailrec this throw try typealias val value var vararg when "
            + "where while",
        constants: "true false null"
    )
    .comments("//", block: ("/*", "*/"), nests: true).strings("\"", multiline: ["\"\"\""])
    .string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x40: .attribute]
    }

    static let go = slash(
        CodeLanguage(
            keywords:
                "break case chan const continue default defer else fallthrough for func go goto if "
                + "import interface map package range return select struct switch type var",
            types:
                "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 "
                + "int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr",
            constants: "true false nil iota")
    )
    .strings("\"").string("`", "`", multiline: true, raw: true).string("'", "'", character: true)

    static let rust = CodeLanguage(
        keywords:
            "as async await break const continue crate dyn else enum extern fn for if impl in let "
            + "loop macro_rules match mod move mut pub ref return self Self static struct super "
            + "trait type union unsafe use where while yield",
        types:
            "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
        constants: "true false"
    )
    .comments("//", block: ("/*", "*/"), nests: true)
    .string("r#\"", "\"#", multiline: true, raw: true).string("r\"", "\"", raw: true)
    .strings(multiline: ["\""]).string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.wordBytes = [0x21]
        $0.sigils = [0x27: .attribute]
    }

    static let zig = CodeLanguage(
        keywords:
            "addrspace align allowzero and anyframe anytype asm async await break callconv catch "
            + "comptime const continue defer else enum errdefer error export extern fn for if inline "
            + "noalias noinline nosuspend opaque or orelse packed pub resume return struct "
            + "suspend switch test threadlocal try union unreachable usingnamespace var volatile "
            + "while",
        types: "bool f32 f64 i8 i16 i32 i64 isize type u8 u16 u32 u64 usize void noreturn",
        constants: "true false null undefined"
    )
    .comments("//").strings("\"").string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x40: .function]
    }

    static let dart = slash(
        CodeLanguage(
            keywords:
                "abstract as assert async await base break case catch class const continue covariant "
                + "default deferred do else enum export extends extension external factory final "
                + "finally for get hide if implements import in interface is late library mixin new "
                + "on operator part required rethrow return sealed set show static super switch sync "
                + "this throw try typedef var when while with yield",
            types: "bool double dynamic int num void", constants: "true false null")
    )
    .strings("\"", "'", multiline: ["\"\"\"", "'''"]).with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x40: .attribute]
    }

    static let javascript = slash(
        CodeLanguage(
            keywords:
                "abstract as asserts async await break case catch class const continue debugger "
                + "declare default delete do else enum export extends finally for from function get "
                + "if implements import in infer instanceof interface is keyof let module "
                + "namespace new of override private protected public readonly return satisfies set "
                + "static super switch this throw try type typeof var void while with yield",
            types:
                "any bigint boolean never number object string symbol unknown",
            constants: "true false null undefined NaN Infinity")
    )
    .strings("\"", "'").string("`", "`", multiline: true).with {
        $0.hasCapitalTypes = true
        $0.wordBytes = [0x24]
        $0.sigils = [0x40: .attribute]
    }

    static let proto = slash(
        CodeLanguage(
            keywords:
                "enum extend import message oneof option optional package public repeated required "
                + "reserved returns rpc service stream syntax",
            types:
                "bool bytes double fixed32 fixed64 float int32 int64 map sint32 sint64 string "
                + "uint32 uint64",
            constants: "true false")
    )
    .strings("\"", "'").with { $0.hasCapitalTypes = true }

    static let haskell = CodeLanguage(
        keywords:
            "as case class data default deriving do else exposing family forall foreign hiding if "
            + "import in infix infixl infixr instance let mdo module newtype of port proc qualified "
            + "rec then type where",
        constants: "True False Nothing"
    )
    .comments("--", block: ("{-", "-}"), nests: true).strings("\"")
    .string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.hasCalls = false
        $0.wordBytes = [0x27]
    }

    static let ocaml = CodeLanguage(
        keywords:
            "abstract and as assert begin class constraint do done downto else end exception "
            + "external for fun function functor if in include inherit inline lazy let match "
            + "member method module mutable namespace new object of open or override private rec "
            + "sig struct then to try type use val virtual when while with yield",
        types: "array bool char float int list option string unit", constants: "true false None"
    )
    .comments("//", block: ("(*", "*)"), nests: true).strings("\"", multiline: ["\"\"\""])
    .string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.hasCalls = false
        $0.wordBytes = [0x27]
    }
}
