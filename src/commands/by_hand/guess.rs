//! `:guess NODE VALUE`: the user predicts a gradient, or a value in a forward walk, before it is shown.
//!
//! This file reads the guess, finds the question and writes the answer: a verdict, a hint or the score. `study::guess`
//! judges the guess, and the session keeps the score. No answer to a wrong guess or to `?` gives the number away.

use super::asked_call::AskedCall;
use crate::command::args::existing;
use crate::command::prelude::*;
use crate::command::signatures::guess::{NODE, OF, SIGNATURE, VALUE};
use crate::commands::by_hand::walk;
use crate::study;
use crate::study::formula_guess::check_formula;
use crate::study::guess::{Judgement, Question, Slip, SlipPlace, TypedGuess};
use chainrule_engine::graph::Contribution;
use chainrule_formulas::with_letters;
use chainrule_formulas::{derivative_formulas, local_formula};
use chainrule_language::Expression;
use chainrule_program::Environment as _;
use chainrule_program::compile::sides_of_derivative;
use chainrule_report::{Piece, list_with_and};
use chainrule_session::by_hand::walk::Walk;
use chainrule_session::by_hand::{Quantity, SumSoFar};
use chainrule_session::naming::labels;
use chainrule_session::{default_question, explain, syntax_diagnostic};

/// The most operands that a hint names.
const MOST_NAMED: usize = 4;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]).asking(number_place);

/// Judges a guess, also about names that wait for the numbers of their letters.
fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let typed = arguments.span_of(NODE).unwrap_or_default();
    if !arguments.has(OF)
        && let Some(asked) = AskedCall::of(session, typed.of(arguments.text))
    {
        return with_letters(session, |look, _| judge_function(look, arguments, &asked));
    }
    if session.waiting().is_empty() {
        return judge(session, arguments, true);
    }
    with_letters(session, |look, has_numbers| {
        judge(look, arguments, has_numbers)
    })
}

fn judge(session: &mut Session, arguments: &Arguments, has_numbers: bool) -> Result<Reply> {
    let Some(&word) = arguments.words(NODE).first() else {
        let line = match session.guesses().tried {
            0 => say!("no guesses yet: as in `:guess a 2`"),
            _ => score_line(session),
        };
        let facts = guess_facts(session, None, None);
        let score = Report::new(&COMMAND, facts, vec![Block::Line(line)]).as_verdict();
        return Ok(Reply::show(score));
    };
    let newest_before = session.newest_id();
    // The names of a typed root come first.
    let target = (arguments.has(OF).then(|| arguments.target(session, OF))).transpose()?;
    let (node, of_derivative) = find_node(session, arguments, word)?;
    let is_added = (arguments.first_word(VALUE)).is_some_and(|(first, _)| first == "+=");
    let Some(value) = number_place(arguments) else {
        let (text, end) = (word.of(arguments.text), word.end as usize);
        let message = format!("`:guess {text}` needs the number you expect");
        let help = format!("as in `:guess {text} NUMBER`; `:guess {text} ? of ROOT` gives a hint");
        return Err(Diagnostic::new(message).at(end..end).help(help));
    };
    let (typed_root, mut notes) = match target {
        Some(target) => (Some(target.node), target.notes),
        None => (of_derivative, Vec::new()),
    };
    let is_root_typed = typed_root.is_some();
    let question = find_question(session, arguments, &node, typed_root, word)?;
    let typed = &*written_value(session, arguments, value)?;
    let reply = if typed == "?" {
        answer(session, &question, None, typed)
    } else if !has_numbers {
        let (number, _) = read_number(session, arguments, value, typed)?;
        let guess = TypedGuess::of_letters(number);
        answer(session, &question, Some(guess), typed)
    } else {
        let (number, number_notes) = read_number(session, arguments, value, typed)?;
        notes.extend(number_notes);
        let guess = TypedGuess::new(number, typed);
        let root = Some(&question.root).filter(|_| is_root_typed);
        let claim = Claim {
            guess,
            typed,
            root,
            is_added,
        };
        claim.answer(session, &question)
    };
    // Nodes that were built for this question are dropped, and their ids are free again. `rewind` needs nodes that
    // nothing holds, so the question, the node and the lent names go first.
    drop((question, node));
    session.lend_names(None);
    session.program_mut().rewind(newest_before);
    Ok(reply.with_notes(notes))
}

/// Judges the guess of the derivative of a function: a formula, or the number at a number.
fn judge_function(
    session: &mut Session,
    arguments: &Arguments,
    asked: &AskedCall,
) -> Result<Reply> {
    let place = number_place(arguments).ok_or_else(|| {
        let message = format!("`:guess {}` needs the formula you expect", asked.call);
        let end = arguments.end();
        let help = "as in `:guess f' 2*x`; `:guess f' ?` gives a hint";
        Diagnostic::new(message).at(end..end).help(help)
    })?;
    let typed = match place.of(arguments.text) {
        // A lesson leaves the formula to the calculator: `:guess f' f'`.
        same if (arguments.span_of(NODE)).is_some_and(|it| it.of(arguments.text) == same) => {
            asked.formula(session)?
        }
        _ => written_value(session, arguments, place)?,
    };
    asked.look(session, |look, root, letter| {
        let mut question = study::guess::question(root, letter, Quantity::Grad);
        question.notation = Some(asked.call.clone());
        if typed == "?" {
            return Ok(Reply::show(last_operation_report(look, &question)));
        }
        let (number, _) = read_number(look, arguments, place, &typed)?;
        let guess = match asked.number {
            Some(_) => TypedGuess::new(number, &typed),
            None => TypedGuess::of_letters(number),
        };
        Ok(answer(look, &question, Some(guess), &typed))
    })
}

/// The answer to `?` about the formula of a derivative: with which rule it begins.
fn last_operation_report(session: &Session, question: &Question) -> Report {
    let operation = question.root.op().map_or("no operation", |op| op.name);
    let formula = session.expression(&question.root);
    let line = say!("the last step of {:formula}: {}", formula, operation);
    let facts = guess_facts(session, Some(question), None);
    Report::new(&COMMAND, facts, vec![Block::Line(line)])
}

/// The place of the number, without the `=` or `+=` that may stand before it.
fn number_place(arguments: &Arguments) -> Option<Span> {
    let is_sign = |word: &&Span| matches!(word.of(arguments.text), "=" | "+=");
    let words = arguments.words(VALUE).iter().skip_while(is_sign);
    words.copied().reduce(Span::to)
}

/// A guess that becomes the user's claim.
struct Claim<'t> {
    guess: TypedGuess,
    /// Its text.
    typed: &'t str,
    /// The root that the user has typed, as in `:guess a -2 of L`.
    root: Option<&'t Rc<Node>>,
    /// Whether it is added, by `+=`, to the contributions that the user has claimed before.
    is_added: bool,
}

impl Claim<'_> {
    /// Keeps the claim, and answers it.
    fn answer(&self, session: &mut Session, question: &Question) -> Reply {
        let mut guess = self.guess;
        let mut so_far = SumSoFar::default();
        let (mut is_part, mut has_parts) = (false, false);
        if self.is_added {
            so_far = session.claimed_so_far(&question.node);
            has_parts = so_far.contributions > 0;
            // A right contribution is not judged as the whole gradient while others are missing.
            is_part = question.is_contribution(&guess, so_far.contributions);
            so_far.contributions += 1;
            guess.value += so_far.grad;
        }
        so_far.grad = guess.value;
        if question.quantity == Quantity::Grad {
            session.claim(&question.node, so_far, self.root);
        }
        if is_part {
            return Reply::show(part_report(session, question, so_far));
        }
        // The formula of a part is not that of the whole.
        let typed = if has_parts { "" } else { self.typed };
        answer(session, question, Some(guess), typed)
    }
}

/// Answers a guess, or a request for a hint. If the open walk has asked this question, the next question follows, or
/// the stop of the walk.
fn answer(
    session: &mut Session,
    question: &Question,
    guess: Option<TypedGuess>,
    typed: &str,
) -> Reply {
    let (report, is_right) = match guess {
        None => (hint_report(session, question), false),
        Some(guess) => {
            let check = check_formula(session, question, &guess, typed);
            let judgement = study::guess::guess(session, question, &guess, check);
            let about_formula = formula_line(session, question, &judgement, typed);
            let mut report = verdict_report(session, question, &guess, &judgement, typed);
            report.blocks.splice(1..1, about_formula.map(Block::Line));
            (report, judgement.is_right)
        }
    };
    let mut reply = Reply::show(report);
    let asked_node = session.walk().and_then(Walk::question);
    if asked_node.is_none_or(|node| !Rc::ptr_eq(&node, &question.node)) {
        return reply;
    }
    let is_last_answer = match session.walk_mut() {
        Some(walk) if is_right => walk.count_answer(),
        _ => false,
    };
    if is_last_answer {
        session.make_next_stop();
        reply.more.push(walk::place_report(session));
    } else if let Some(verdict) = &mut reply.report {
        let line = walk::question_line(session);
        verdict.blocks.extend(line.map(Block::Line));
    }
    reply
}

/// The formula of a textbook for a right one, or that a wrong one is right for the present numbers.
fn formula_line(
    session: &mut Session,
    question: &Question,
    judgement: &Judgement,
    typed: &str,
) -> Option<Line> {
    let is_right_here = judgement.is_right_here?;
    if !judgement.is_right {
        let is_news = is_right_here && judgement.slip.is_none();
        return is_news.then(|| say!("right for these numbers, not for others"));
    }
    let node = Rc::clone(&question.node);
    let formulas = derivative_formulas(session, &question.root, &[node], true)?;
    let shortest = &formulas[0];
    let is_shorter = shortest.len() < language::as_expression(typed)?.items.len();
    let quantity = question_text(session, question);
    let line = say!(
        "shorter: {:math} = {:math}",
        quantity,
        language::infix(shortest)
    );
    is_shorter.then(|| dim(line))
}

/// Takes an expression as the answer to the question of the open walk. `None`, which stands for a lone `?`, asks for a
/// hint.
pub(crate) fn answer_in_walk(
    session: &mut Session,
    text: &str,
    expression: Option<&Expression>,
) -> Result<Reply> {
    let walk_question = session.walk().and_then(|walk| {
        let node = walk.question()?;
        Some(study::guess::question(&walk.root, &node, walk.quantity()))
    });
    let Some(question) = walk_question else {
        return Ok(Reply::default());
    };
    session.lend_names(Some(&question.root));
    let Some(expression) = expression else {
        return Ok(answer(session, &question, None, ""));
    };
    let (number, notes) = session.measure(text, expression)?;
    let typed = expression.span.of(text);
    let guess = TypedGuess::new(number, typed);
    Ok(answer(session, &question, Some(guess), typed).with_notes(notes))
}

/// Refuses a number with a decimal comma.
pub(super) fn check_decimal_point(typed: &str) -> Result<()> {
    let with_point = typed.replacen(',', ".", 1);
    if typed == with_point || with_point.parse::<f64>().is_err() {
        return Ok(());
    }
    let error = Diagnostic::new(format!("`{typed}` has a decimal comma"));
    Err(error.help(format!("write a point: `{with_point}`")))
}

/// The guess with the signs that are left out in it.
fn written_value(session: &Session, arguments: &Arguments, place: Span) -> Result<String> {
    let typed = place.of(arguments.text);
    let written = session.write_signs(typed, None);
    let written = written.map_err(|error| syntax_diagnostic(error.behind(place.start)))?;
    Ok(written.unwrap_or_else(|| typed.to_owned()))
}

/// Computes the guess, which may be an expression. `typed` has the signs that are left out at its place.
fn read_number(
    session: &mut Session,
    arguments: &Arguments,
    place: Span,
    typed: &str,
) -> Result<(f64, Vec<Note>)> {
    check_decimal_point(typed).map_err(|error| error.at(place))?;
    let before = &arguments.text[..place.start as usize];
    let text = &format!("{before}{typed}");
    let read = language::expression(text, Span::new(before.len(), text.len()));
    let expression = read.map_err(|error| match arguments.words(VALUE) {
        [_] => explain(session, error),
        // Probably a node of several words without brackets: `:guess a*b + c 2`.
        _ => (explain(session, error))
            .help("put a node of several words in brackets, as in `:guess (a*b + c) -2`"),
    })?;
    Ok(session.measure(text, &expression)?)
}

/// Finds the node of the question. If a derivative is typed, `dL/da` or `grad(L, a)`, also its root.
fn find_node(
    session: &mut Session,
    arguments: &Arguments,
    word: Span,
) -> Result<(Rc<Node>, Option<Rc<Node>>)> {
    let typed = existing::expression_at(session, arguments.text, word)?;
    let Some([of, by]) = sides_of_derivative(session, arguments.text, &typed) else {
        return Ok((arguments.node(session, NODE)?, None));
    };
    let root = existing::node_of(session, arguments.text, &of)?;
    let node = existing::node_of(session, arguments.text, &by)?;
    arguments.check_node(session, NODE, &node, word)?;
    Ok((node, Some(root)))
}

/// Finds the question: about the root of a typed derivative or the typed T, or else about the open walk or the last pass.
fn find_question(
    session: &mut Session,
    arguments: &Arguments,
    node: &Rc<Node>,
    typed_root: Option<Rc<Node>>,
    word: Span,
) -> Result<Question> {
    if let Some(typed) = typed_root {
        if (session.check_ties(&typed, std::slice::from_ref(node), word)).is_err() {
            // The error of the session tells the number that the user is to guess.
            let [root, leaf] = [&typed, node].map(|it| session.label(it));
            let message =
                format!("the graph has no path from `{leaf}` to `{root}`, which an equation ties");
            let help = format!("`:budget {root}` shows how `{root}` follows `{leaf}`");
            return Err(Diagnostic::new(message).at(word).help(help));
        }
        return Ok(study::guess::question(&typed, node, Quantity::Grad));
    }
    let text = word.of(arguments.text);
    let Some((root, quantity)) = default_question(session, node) else {
        let message = format!("there is no target that depends on `{text}`");
        let help = format!("name one, as in `:guess {text} -2 of ROOT`");
        return Err(Diagnostic::new(message).at(word).help(help));
    };
    Ok(study::guess::question(&root, node, quantity))
}

/// Returns the command for a claim in Python: `:guess n 0.5 of o` for `n.grad = 0.5`, `:guess n += 0.5 of o` for
/// `n.grad += 0.5`. If no root is known, a claim of 1 makes the node itself the root, since a root has the grad 1.
pub(crate) fn claim_command(session: &Session, node: &str, value: &str) -> String {
    let mut named_nodes = session.names().named_nodes();
    let Some((_, found)) = named_nodes.find(|(name, _)| name == node) else {
        return format!(":guess {node} {value}");
    };
    match default_question(session, found) {
        Some((root, _)) => format!(":guess {node} {value} of {}", node_text(session, &root)),
        None if value.parse() == Ok(1.0) => format!(":guess {node} {value} of {node}"),
        None => format!(":guess {node} {value}"),
    }
}

/// The answer to a guess: whether it is right, which mistake explains it, and the score. It repeats a formula as typed.
fn verdict_report(
    session: &Session,
    question: &Question,
    guess: &TypedGuess,
    judgement: &Judgement,
    typed: &str,
) -> Report {
    let quantity = question_text(session, question);
    let shown = vec![if judgement.is_right && !guess.has_letters {
        Piece::Number(question.truth)
    } else if judgement.is_right_here.is_some() {
        Piece::math(typed)
    } else {
        Piece::Number(guess.value)
    }];
    let mut lines = Vec::new();
    if judgement.is_right {
        lines.push(say!("right: {:formula} = {}", &quantity, shown));
    } else if judgement.is_short {
        lines.push(say!(
            "{:formula} is about {}, so far right: one digit more",
            &quantity,
            shown
        ));
    } else if let Some(slip) = &judgement.slip {
        let mut line = say!("{:formula} is not {}: ", &quantity, shown);
        line.extend(slip_line(session, slip, slip.mistake.summary));
        if let Some(factor) = &judgement.missing {
            let formula = local_formula(session, question.user(factor), factor.position);
            line.extend(say!(": {:formula}", walk::brief(&formula)));
        }
        lines.push(line);
        if !slip.mistake.reason.is_empty() {
            lines.push(slip_line(session, slip, slip.mistake.reason));
        }
    } else {
        lines.push(say!("{:formula} is not {}", &quantity, shown));
        if question.notation.is_none() {
            let node = node_text(session, &question.node);
            lines.push(say!("{:dim}`:guess {} ?`", "a hint: ", node));
        }
    }
    // A right guess needs no score.
    if judgement.has_been_shown {
        let line = say!(
            "the guess does not count: an answer has shown {:formula}",
            quantity
        );
        lines.push(dim(line));
    } else if judgement.is_counted() && !judgement.is_right {
        lines.push(score_line(session));
    }
    let said = if guess.has_letters {
        Fact::Text(typed.to_owned())
    } else {
        guess.value.into()
    };
    let facts = guess_facts(session, Some(question), Some((said, judgement)));
    let blocks = lines.into_iter().map(Block::Line).collect();
    Report::new(&COMMAND, facts, blocks).as_verdict()
}

/// A sentence about a slip, with what stands for the names in braces: `the derivative of {x} is missing`.
fn slip_line(session: &Session, slip: &Slip, sentence: &str) -> Line {
    let words = sentence.split(['{', '}']).enumerate();
    let pieces = words.map(|(nth, words)| match (&slip.place, slip.factor) {
        _ if nth % 2 == 0 => Piece::plain(words),
        (Some(place), _) => Piece::math(part_formula(session, place, words)),
        (None, Some([dividend, 1.0])) => Piece::Number(dividend),
        (None, factor) => {
            let [dividend, divisor] = factor.unwrap_or_default();
            Piece::math(format!("{dividend}/{divisor}"))
        }
    });
    pieces.collect()
}

/// What stands for a name in a sentence about a part.
fn part_formula(session: &Session, place: &SlipPlace, name: &str) -> String {
    let SlipPlace { part, inner } = place;
    let operands = part.operands();
    let node = match name.trim_end_matches('\'') {
        "x" => &operands[0],
        "y" => &operands[1],
        "z" => &operands[*inner],
        "c" => &operands[1 - *inner],
        _ => part,
    };
    let formula = if node.is_leaf() {
        session.label(node)
    } else {
        session.expression(node)
    };
    let formula = walk::brief(&formula);
    if name.ends_with('\'') {
        return format!("({formula})'");
    }
    formula
}

/// The answer to a right contribution while other contributions are still missing.
fn part_report(session: &Session, question: &Question, so_far: SumSoFar) -> Report {
    let quantity = question_text(session, question);
    let (done, all) = (so_far.contributions, question.arrivals.len());
    let line = say!(
        "{:formula}: so far {} of {} contributions, {}",
        quantity,
        done,
        all,
        so_far.grad
    );
    let mut facts = guess_facts(session, Some(question), None);
    facts.push(("so_far", so_far.grad.into()));
    facts.push(("contributions", Fact::from_iter([done as u64, all as u64])));
    Report::new(&COMMAND, facts, vec![Block::Line(line)]).as_verdict()
}

/// The score: `score: 1 of 2`
pub(super) fn score_line(session: &Session) -> Line {
    let guesses = session.guesses();
    dim(say!("score: {} of {}", guesses.right, guesses.tried))
}

/// The facts of every answer: with a question, except for the score alone; with a guess and its judgement, if there is one.
fn guess_facts(
    session: &Session,
    question: Option<&Question>,
    judged: Option<(Fact, &Judgement)>,
) -> Vec<(&'static str, Fact)> {
    let label = |node: &Rc<Node>| Fact::Text(session.label(node));
    let score = session.guesses();
    let quantity = question.map(|it| match it.quantity {
        Quantity::Grad => "grad",
        Quantity::Data => "data",
    });
    let (guess, judgement) = judged.unzip();
    let is_right = judgement.map(|it| it.is_right);
    let is_counted = judgement.map(Judgement::is_counted);
    let slip = judgement.and_then(|it| it.slip.as_ref());
    vec![
        ("root", question.map_or(Fact::Null, |it| label(&it.root))),
        ("node", question.map_or(Fact::Null, |it| label(&it.node))),
        ("guess", guess.unwrap_or(Fact::Null)),
        ("right", is_right.into()),
        ("slip", slip.map(|it| it.mistake.word).into()),
        ("score", Fact::from_iter([score.right, score.tried])),
        ("counted", is_counted.into()),
        ("asked", quantity.into()),
    ]
}

/// The answer to `?`: how the number is computed.
fn hint_report(session: &Session, question: &Question) -> Report {
    let node = short_label(session, &question.node);
    let line = match question.quantity {
        Quantity::Data => operation_line(session, question),
        Quantity::Grad if Rc::ptr_eq(&question.root, &question.node) => say!(
            "{:name} is the root: how much does it move when it moves?",
            node
        ),
        Quantity::Grad if question.arrivals.is_empty() => {
            let root = short_label(session, &question.root);
            say!("is there a path from {:name} to {:name}?", node, root)
        }
        Quantity::Grad => say!(
            "each, times the grad of its user, adds up to {:formula}",
            question_text(session, question)
        ),
    };
    let table = users_table(session, question);
    let mut blocks = vec![Block::Table(table), Block::Line(line)];
    if is_local_the_answer(question) && !question.arrivals.is_empty() {
        blocks.push(Block::Line(dim(say!(
            "the number at the dot is the answer"
        ))));
    }
    Report::new(&COMMAND, guess_facts(session, Some(question), None), blocks)
}

/// Whether the local derivatives give the answer away: if the root, whose grad is 1, is the only user.
fn is_local_the_answer(question: &Question) -> bool {
    let is_root = |arrival: &Contribution| Rc::ptr_eq(question.user(arrival), &question.root);
    question.arrivals.iter().all(is_root)
}

/// The table of the users of a node. Each user multiplies its grad by the local derivative in its row and passes the
/// product on to the node.
fn users_table(session: &Session, question: &Question) -> Table {
    let arrivals = &question.arrivals;
    let gives_answer = is_local_the_answer(question);
    // A node may have half a million users, so the table has a limit.
    let most = session.table_rows();
    let omitted = arrivals.len().saturating_sub(most);
    let mut rows = Vec::new();
    for arrival in arrivals.iter().take(most) {
        let user = question.user(arrival);
        let local = Some(arrival.local).filter(|_| !gives_answer);
        rows.push(vec![
            Cell::Name(short_label(session, user)),
            Cell::Formula(local_formula(session, user, arrival.position)),
            local.map_or(Cell::Missing, Cell::Number),
        ]);
    }
    let columns = vec![
        Column::new("user", "user"),
        Column::new("formula", "passes on its grad times"),
        Column::new("local", "="),
    ];
    Table {
        omitted: (omitted > 0).then(|| (omitted, ":config table-rows all".to_string())),
        ..Table::new("users", columns, rows)
    }
}

/// The operation that computes a value, and its operands: `L is a*b with a = 2 and b = -3`
fn operation_line(session: &Session, question: &Question) -> Line {
    let node = short_label(session, &question.node);
    let operands = question.node.operands().iter();
    if operands.len() == 0 {
        return say!("{:name} is a leaf: it has the value it was given", node);
    }
    let values = operands.map(|it| say!("{:name} = {}", short_label(session, it), it.data()));
    let expression = session.expression(&question.node);
    let values = list_with_and(values, MOST_NAMED);
    say!("{:name} is {:formula} with {}", node, expression, values)
}

/// The quantity that the question asks for: `dL/d(a*b)`, or the node itself in a forward walk.
fn question_text(session: &Session, question: &Question) -> String {
    if let Some(notation) = &question.notation {
        return notation.clone();
    }
    let node = short_label(session, &question.node);
    match question.quantity {
        Quantity::Grad => labels::fraction(&short_label(session, &question.root), &node),
        Quantity::Data => node,
    }
}

/// The label of a node, short enough for a sentence.
fn short_label(session: &Session, node: &Rc<Node>) -> String {
    walk::brief(&session.label(node))
}

/// The text for a node in a command: its name, its expression in brackets, or its id.
pub(super) fn node_text(session: &Session, node: &Rc<Node>) -> String {
    let label = session.label(node);
    match labels::name(session.names(), node) {
        Some(name) => name,
        None if label.contains('…') || node.is_leaf() => format!("@{}", node.id()),
        None => format!("({label})"),
    }
}
