#!/usr/bin/env python3
"""Draws explanations of statements, where entries are, a matrix in formats with each dynamic level, tensors on machines,
and what moves there, and checks the pictures; exits with 1 at the first fault.

Each is well-formed XML, needs nothing from outside, keeps all of its text inside, and writes no text over another. Some
are compared with the files of the folder `stored`.

usage: check_pictures.py LACUNA_PROGRAM LEVELS_FOLDER [--overwrite]
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
CSR3 = ["-f", "B:csr", "-f", "C:csr", "-f", "D:csr", "-f", "A:csr"]
DRAWN = [
    ["y(i) = A(i,j) * x(j)", "-f", "A:csr", "--threads", "2"],
    ["C(i,k) = A(i,j) * B(j,k)", "-f", "A:csr", "-f", "B:csr", "-f", "C:csr"],
    ["A(i,l) = B(i,k,j) * C(k,l) * D(j,l)", "-f", "B:csf", "-d", "l=16"],
    ["A(i,j) = B(i,j) + C(i,j) + D(i,j)", *CSR3],
    ["A(i,j) = B(i,j) + C(i,j) * D(i,j)", "-f", "B:dcsr", "-f", "C:dcsr", "-f", "D:dcsr", "-f", "A:dcsr"],
    ["y(i) = A(i,j) * x(j)", "-f", "A:csr", "-s",
     "fuse(i,j,f), pos(f,fp,A), split(fp,fpo,fpi,64), parallelize(fpo,CPUThread,Atomics)"],
    ["A(i,m) = B(i,j) * C(i,k) * D(j,k) * F(j,l) * W(l,m)", "-f", "B:csr", "-d", "k=16,l=12,m=10", "-s",
     "reorder(i,j,k,l,m), loopfuse(2), parallelize(i,CPUThread)"],
    ["d(i) = A(i,i) + b(i)", "-f", "A:csr", "-s", "unroll(i,4)"],
    ["s = 2"],
    ["y(i) = b(i) + sin(A(i,j)) * x(j) / max(c(j), 1.5) - A(j,i) * A(i,i) + alpha * y(i)", "-f", "A:csr", "-f", "b:hashed"],
    ["A(i,j,k,l) = B(i,j,k,l) * c(i) * d(j) * e(k) * f(l)", "-d", "i=9,j=9,k=9,l=9", "-f", "B:csf", "-f", "A:csf"],
]

MATRIX = "%%MatrixMarket matrix coordinate real general\n6 7 5\n1 1 1\n1 7 2\n3 2 3\n6 6 4\n6 7 5\n"
PLACED = [
    (MATRIX, "Grid(4)", "P: xy -> x"),
    (MATRIX, "Grid(5)", "P: xy -> ~(xy)"),
    (MATRIX, "Grid(2,2),Grid(2) of sockets", "P: xy -> xy; zw -> z"),
    (MATRIX, "Grid(2,2,3)", "P: xy -> x%2 y%2 1"),
    ("1 1 1 2.0\n2 3 4 1.0\n", "Grid(64)", "xyz -> *"),
    ("1 2.0\n70 1.0\n", "Grid(1)", "x -> ~x"),
]

PRODUCT = ["A(i,j) = B(i,k) * C(k,j)", "-d", "i=64,j=64,k=64"]
TILES = ["--place", "A: xy -> xy", "--place", "B: xy -> xy", "--place", "C: xy -> xy"]
CANNON = ["-s", "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos), "
          "communicate(A,jo), communicate({B,C},kos)"]
SPARSE = ["a(i) = B(i,j) * c(j)", "-f", "B:csr", "-i", "B=random:0.05", "-d", "i=300,j=300", "--place", "c: x -> x"]
SIMULATED = [
    [*PRODUCT, "--machine", "Grid(3,3)", *TILES, *CANNON],
    [*PRODUCT, "--machine", "Grid(16,16)", *TILES, *CANNON],
    [*PRODUCT, "--machine", "Grid(2,2,2)", "--place", "A: xy -> xy0", "--place", "B: xy -> x0y", "--place", "C: xy -> 0yx",
     "-s", "distribute({i,j,k},{io,jo,ko},{ii,ji,ki},M)"],
    [*PRODUCT, "--machine", "Grid(1)"],
    [*PRODUCT, "--machine", "Grid(2,2),Grid(2)", "--place", "B: xy -> xy; zw -> z"],
    [*SPARSE, "--machine", "Grid(20)"],
    [*SPARSE, "--machine", "Grid(300)"],
    [*SPARSE, "--machine", "Grid(1)", "--scaling", "strong", "--processors", "64"],
    [*PRODUCT, "--machine", "Grid(1,1)", *TILES, *CANNON, "--scaling", "weak", "--processors", "1024"],
    [*PRODUCT, "--machine", "Grid(3,3)", *TILES, *CANNON, "--scaling", "strong", "--processors", "1"],
]


def width_of(text, element):
    """As src/lacuna/draw/canvas.cpp expects it, a little narrower: fonts differ."""
    each = 0.6 if element.get("font-family") == "monospace" else 0.52
    return len(text) * each * float(element.get("font-size"))


def box_of(element):
    """Left, top, right and bottom of a line of text, a little less than it may take."""
    text, size = element.text or "", float(element.get("font-size"))
    width = width_of(text, element)
    shift = {"middle": width / 2, "end": width}.get(element.get("text-anchor"), 0)
    left, base = float(element.get("x")) - shift, float(element.get("y"))
    return left, base - 0.72 * size, left + width, base + 0.15 * size


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def faults_of(picture):
    root = ElementTree.fromstring(picture)
    if root.tag != SVG + "svg":
        yield f"the root is {root.tag}"
    width, height = float(root.get("width")), float(root.get("height"))
    for element in root.iter():
        outside = element.tag in {SVG + name for name in ("script", "image", "use", "style", "a", "foreignObject")}
        if outside or any("href" in name or "url(" in value for name, value in element.attrib.items()):
            yield f"{element.tag} may need something from outside"
    texts = [(element.text, box_of(element)) for element in root.iter(SVG + "text") if element.text]
    for text, box in texts:
        if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
            yield f"'{text}' is not inside"
    for (text, box), (other, other_box) in itertools.combinations(texts, 2):
        if overlap(box, other_box):
            yield f"'{text}' lies over '{other}'"
    if len(texts) < 4:
        yield "there is hardly any text"


def draw(program, arguments, picture):
    """Runs the program, which writes the picture to a file; returns its text, which has no fault."""
    command = [program, *[argument.replace("PICTURE", str(picture)) for argument in arguments]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    text = pathlib.Path(picture).read_text(encoding="utf-8")
    for fault in faults_of(text):
        sys.exit(f"{' '.join(command)}: {fault}")
    return text


def width_of_picture(text):
    return float(ElementTree.fromstring(text).get("width"))


def generated(program, folder):
    """Files of several shapes: a matrix, a larger one, a long row, tensors of order 3 and 4."""
    shapes = {"A.mtx": ("9x40", 70), "B.mtx": ("900x700", 7000), "V.mtx": ("1x3000", 2000), "T.tns": ("30x20x25", 200),
              "F.tns": ("50x9x300x70", 3000)}
    for name, (shape, entries) in shapes.items():
        subprocess.run([program, "generate", "uniform", shape, "--nnz", str(entries), "-o", f"{folder}/{name}"],
                       check=True, stdout=subprocess.DEVNULL)
    return {name: f"{folder}/{name}" for name in shapes}


def check_tensors(program, levels, files, picture):
    """A matrix in every level beside dense, and in some other formats, and the start of larger ones."""
    dynamic = [f"dense,{path.stem}" for path in sorted(pathlib.Path(levels).glob("*.level"))]
    formats = [("A.mtx", name) for name in ["csr", "dcsr", "coo", "dense", "hashed", "bst,ctree", "compressed,vblist",
                                            "ctree,compressed", *dynamic]]
    formats += [("B.mtx", name) for name in ["csr", "dense", "coo", "dense,btree", "bst,bst", "ctree,compressed"]]
    formats += [("V.mtx", name) for name in dynamic] + [("T.tns", "csf"), ("F.tns", "csf")]
    for file, name in formats:
        text = draw(program, ["info", files[file], "-f", name, "--draw", "PICTURE"], picture)
        if width_of_picture(text) > 1300:
            sys.exit(f"{file} as {name} is {width_of_picture(text)} wide")
    return len(formats)


def check_stored(program, levels, files, picture, overwrite):
    """Pictures are the stored ones, byte for byte."""
    del levels
    named = {
        "csr": ["info", files["A.mtx"], "-f", "csr", "--draw", "PICTURE"],
        "btree": ["info", files["A.mtx"], "-f", "dense,btree", "--draw", "PICTURE"],
        "list": ["info", files["A.mtx"], "-f", "dense,llist", "--draw", "PICTURE", "--most-boxes", "60"],
        "entries": ["info", files["A.mtx"], "--svg", "PICTURE"],
        "entries_of_order_3": ["info", files["T.tns"], "--svg", "PICTURE"],
        "parts": ["info", files["T.tns"], "--machine", "Grid(4)", "--place", "T: xyz -> ~(xyz)", "--draw", "PICTURE"],
        "explanation": ["explain", *DRAWN[4], "--threads", "1", "--svg", "PICTURE"],
        "messages": ["simulate", *SIMULATED[0], "--draw", "PICTURE"],
    }
    folder = pathlib.Path(__file__).parent / "stored"
    for name, arguments in named.items():
        text, stored = draw(program, arguments, picture), folder / f"{name}.svg"
        if overwrite:
            stored.write_text(text, encoding="utf-8")
        elif not stored.exists() or stored.read_text(encoding="utf-8") != text:
            sys.exit(f"{name}.svg is not the stored one; look at it, then run the test with --overwrite")
    return len(named)


def main():
    program, levels = sys.argv[1:3]
    pictures = 0
    with tempfile.TemporaryDirectory() as folder:
        files, picture = generated(program, folder), pathlib.Path(folder) / "picture.svg"
        for arguments in DRAWN:
            draw(program, ["explain", *arguments, "--svg", "PICTURE"], picture)
        for arguments in SIMULATED:
            draw(program, ["simulate", *arguments, "--draw", "PICTURE"], picture)
        for path in files.values():
            draw(program, ["info", path, "--svg", "PICTURE"], picture)
        for contents, machine, placement in PLACED:
            file = pathlib.Path(folder) / ("P.mtx" if contents.startswith("%") else "P.tns")
            file.write_text(contents, encoding="utf-8")
            draw(program, ["info", str(file), "--machine", machine, "--place", placement, "--draw", "PICTURE"], picture)
        pictures += len(DRAWN) + len(SIMULATED) + len(files) + len(PLACED)
        pictures += check_tensors(program, levels, files, picture)
        pictures += check_stored(program, levels, files, picture, "--overwrite" in sys.argv)
    print(f"{pictures} pictures are sound")


if __name__ == "__main__":
    main()
