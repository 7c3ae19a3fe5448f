"""A PDF of plain lines: one font, a size per line, several pages.

What is not ASCII gets a code of its own and the name of its character, which is what
`pdftotext` reads; whether a viewer could draw it is of no interest here.
"""

import zlib


def pdf(lines, compress=True):
    codes = {}

    def encoded(text):
        out = bytearray()
        for c in text:
            if ord(c) < 128:
                code = ord(c)
            else:
                code = codes.setdefault(c, 128 + len(codes))
                if code > 255:
                    code = ord("?")
            out += b"\\" + bytes([code]) if code in b"\\()" else bytes([code])
        return bytes(out)

    pages = []
    for start in range(0, max(len(lines), 1), 60):
        page = [b"BT /F1 9 Tf 11.5 TL 40 800 Td"]
        for line in lines[start:start + 60]:
            page.append(b"(" + encoded(line) + b") Tj T*")
        pages.append(b"\n".join(page + [b"ET"]))
    names = " ".join(f"{code} /uni{ord(c):04X}" for c, code in codes.items() if code <= 255)
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"",
               f"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding << /Type /Encoding "
               f"/Differences [ {names} ] >> >>".encode()]
    kids = []
    for page in pages:
        body = zlib.compress(page) if compress else page
        way = b" /Filter /FlateDecode" if compress else b""
        objects.append(b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(body), way, body))
        objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
                       b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects))
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [ %s ] >>" % (len(kids), b" ".join(kids))
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, value in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, value)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)
