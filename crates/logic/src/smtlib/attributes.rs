//! Keywords and their values.

use super::Reader;
use super::error::{Error, ErrorKind};
use super::lexer::Token;

impl Reader<'_> {
    pub(super) fn keyword(&mut self) -> Result<String, Error> {
        match self.lexer.next()? {
            (Token::Keyword(keyword), _) => Ok(keyword),
            (token, position) => Err(self.unexpected(&token, position, "a keyword")),
        }
    }

    /// Any expression, passed over.
    pub(super) fn skip_expression(&mut self) -> Result<(), Error> {
        let mut depth = 0u64;
        loop {
            let (token, position) = self.lexer.next()?;
            match token {
                Token::Open => depth += 1,
                Token::Close if depth > 0 => depth -= 1,
                Token::Close | Token::End => return Err(self.unexpected(&token, position, "a value")),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// The value of an attribute as text, empty if there is none; up to the parenthesis that closes the command.
    pub(super) fn attribute_value(&mut self) -> Result<String, Error> {
        if *self.lexer.peek()? == Token::Close {
            return Ok(String::new());
        }
        self.lexer.record();
        self.skip_expression()?;
        Ok(self.lexer.take_record())
    }

    /// The attributes of an annotated term, up to the closing parenthesis; the name if one is given.
    pub(super) fn annotations(&mut self) -> Result<Option<String>, Error> {
        let mut name = None;
        loop {
            let (token, position) = self.lexer.next()?;
            match token {
                Token::Close => return Ok(name),
                Token::Keyword(keyword) if keyword == ":named" => {
                    let (symbol, at) = self.symbol_at()?;
                    if self.scopes.symbol(&symbol).is_some() || name.is_some() {
                        let error = Error::new(ErrorKind::Redeclared, at, "a name that is already in use");
                        return Err(error.at_token(&symbol));
                    }
                    name = Some(symbol);
                }
                Token::Keyword(_) => {
                    if !matches!(self.lexer.peek()?, Token::Keyword(_) | Token::Close) {
                        self.skip_expression()?;
                    }
                }
                token => return Err(self.unexpected(&token, position, "a keyword or `)`")),
            }
        }
    }
}
