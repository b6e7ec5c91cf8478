// SPDX-License-Identifier: MIT
//
//   sarif.mjs FOLDER SOURCE     validates the logs and answers in a folder
//   sarif.mjs --fix LOG         makes the changes of the first fix of a log
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import Ajv4 from "ajv-draft-04";
import Ajv from "ajv";
import formats from "ajv-formats";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
let bad = 0;
const say = (text) => {
    console.log(text);
    bad = 1;
};

function fix(log) {
    const result = read(log).runs[0].results.find((r) => r.fixes);
    for (const change of result.fixes[0].artifactChanges) {
        const uri = change.artifactLocation.uri;
        const path = uri.startsWith("file:")
            ? fileURLToPath(uri)
            : decodeURIComponent(uri);
        const lines = readFileSync(path, "utf8").split("\n");
        for (const r of change.replacements) {
            const region = r.deletedRegion;
            const line = [...lines[region.startLine - 1]];
            if (region.endColumn !== line.length + 1)
                say(`${log}: line ${region.startLine} ends elsewhere`);
            lines[region.startLine - 1] = r.insertedContent.text;
        }
        writeFileSync(path, lines.join("\n"));
    }
}

// What a schema cannot say.
function look(name, log) {
    for (const run of log.runs) {
        for (const result of run.results) {
            const rule = run.tool.driver.rules[result.ruleIndex];
            if (rule.id !== result.ruleId) say(`${name}: another rule`);
            for (const flow of result.codeFlows ?? []) {
                const orders = flow.threadFlows.flatMap((t) =>
                    t.locations.map((l) => l.executionOrder));
                if (new Set(orders).size !== orders.length)
                    say(`${name}: two steps at once`);
                if (flow.threadFlows.length < 2 && result.ruleId !== "sc")
                    say(`${name}: one thread only`);
            }
        }
    }
}

function validate(folder, source) {
    const schema = read(join(import.meta.dirname ?? ".",
        "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));
    const four = new Ajv4({ strict: false, allErrors: true, unicodeRegExp: false });
    formats(four);
    const is_sarif = four.compile(schema);
    const is_ours = new Ajv({ allErrors: true }).compile(
        read(join(source, "docs/fencer.schema.json")));

    const results = {};
    for (const name of readdirSync(folder)) {
        const valid = name.endsWith(".sarif") ? is_sarif
            : name.endsWith(".json") ? is_ours : null;
        if (!valid) continue;
        const log = read(join(folder, name));
        if (!valid(log)) say(`${name}: ${JSON.stringify(valid.errors, null, 1)}`);
        if (valid !== is_sarif) continue;
        look(name, log);
        results[name] = log.runs[0].results;
    }
    if (results["none.sarif"].length) say("none.sarif: a result");
    for (const name of ["run", "test", "sb", "mp", "race", "hostile", "absolute",
        "deadlock", "queue"])
        if (!results[`${name}.sarif`].length) say(`${name}.sarif: no result`);
    const uri = (name) => results[name][0].locations[0]
        .physicalLocation.artifactLocation.uri;
    if (uri("sb.sarif") !== "sb.c") say("sb.sarif: another file");
    if (uri("below.sarif") !== "sub/sb.c") say("below.sarif: another file");
    if (!uri("absolute.sarif").startsWith("file:///")) say("absolute.sarif: no URI");
    if (decodeURIComponent(uri("hostile.sarif")) !== "h \"'<b>%2F#?.c")
        say(`hostile.sarif: ${uri("hostile.sarif")}`);
    // Columns are characters, whatever bytes they have.
    const { startLine, startColumn } = results["letters.sarif"][0]
        .relatedLocations[0].physicalLocation.region;
    const line = [...readFileSync(join(folder, "letters.c"), "utf8")
        .split("\n")[startLine - 1]].slice(startColumn - 1).join("");
    if (!line.startsWith("= 1")) say(`letters.sarif: at '${line}'`);
    // Of a suite: what is expected is suppressed, files are those of the caller.
    const suite = read(join(folder, "suite.sarif"));
    if (suite.runs.length !== 8 || suite.runs.some((r) =>
        r.results.some((x) => !x.suppressions)))
        say("suite.sarif: not eight runs, or something unexpected");
    if (uri("moved.sarif") !== "other/sb.c") say(uri("moved.sarif"));
    if (results["moved.sarif"][0].suppressions) say("moved.sarif: suppressed");
    // The findings of --json and of --sarif are the same.
    for (const name of ["run", "mp", "queue", "report"]) {
        const ours = read(join(folder, `${name}.json`)).findings
            .map((f) => [f.id, f.class, f.model, f.replay ?? undefined]);
        const theirs = results[`${name}.sarif`].map((r) => [r.properties.id,
            r.ruleId, r.properties.model, r.properties.replay]);
        if (JSON.stringify(ours) !== JSON.stringify(theirs))
            say(`${name}: --json and --sarif differ`);
    }
    // Both sides: what is wrong is noticed.
    const wrong = read(join(folder, "sb.sarif"));
    wrong.runs[0].results[0].level = "bad";
    if (is_sarif(wrong)) say("a wrong level fits");
}

if (process.argv[2] === "--fix") fix(process.argv[3]);
else validate(process.argv[2], process.argv[3]);
process.exit(bad);
